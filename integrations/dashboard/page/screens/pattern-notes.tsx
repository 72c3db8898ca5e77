import type { ComponentChild } from 'preact';
import type { PatternView } from '../../views.js';
import { DecisionPlace } from '../decide/decision-bar.js';
import { VERBS } from '../decide/verbs.js';
import { usePage } from '../lib/page-context.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

type Note = PatternView['notes'][number];

/** Mutes, assigns and comments on a pattern. */
export function PatternTriage({ view: { pattern, isMuted, assignee } }: { readonly view: PatternView }) {
  const { ask, state } = usePage();
  const about = { id: pattern.id, title: `${pattern.task}: ${pattern.template}` };
  const verbs = [isMuted ? 'unmute' : 'mute', 'assign', 'comment'] as const;
  return (
    <div class="triage row">
      {isMuted ? <State tone="quiet" word="muted" /> : null}
      {assignee === undefined ? null : (
        <span>
          Assigned to <Text value={assignee} limit={60} />
        </span>
      )}
      {state.status?.decisions.allowed ? (
        <DecisionPlace>
          {verbs.map((verb) => (
            <button key={verb} type="button" onClick={() => ask({ verb, pattern: about })}>
              {VERBS[verb].button}
            </button>
          ))}
        </DecisionPlace>
      ) : null}
    </div>
  );
}

/** Notes of people, newest first. */
export function PatternNotes({ view: { notes } }: { readonly view: PatternView }) {
  if (notes.length === 0) return null;
  return (
    <Section title="Notes">
      <ul class="list">
        {notes.map((kept) => (
          <li key={`${kept.atMs} ${kept.by}`}>
            <strong>
              <Text value={kept.by} limit={60} />
            </strong>{' '}
            {didWhat(kept)}{' '}
            <span class="dim">
              <When atMs={kept.atMs} />
            </span>
            {kept.note.text === undefined ? null : <LongText value={kept.note.text} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function didWhat({ note }: Note): ComponentChild {
  switch (note.kind) {
    case 'muted':
      return 'muted it';
    case 'unmuted':
      return 'showed it again';
    case 'commented':
      return 'commented';
    case 'assigned':
      return note.to === '' ? (
        'assigned it to no one'
      ) : (
        <>
          assigned it to <Text value={note.to} limit={60} />
        </>
      );
    default:
      return note satisfies never;
  }
}
