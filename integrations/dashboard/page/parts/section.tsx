import type { ComponentChildren } from 'preact';

interface SectionProps {
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Section({ title, note, children }: SectionProps) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {note ? <span class="dim">{note}</span> : null}
      </div>
      {children}
    </section>
  );
}
