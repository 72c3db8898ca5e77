import { type RemedyRow, tools } from './row.js';

/** Messages of the tools that read and edit files. */
export const FILE_TOOL_ROWS: readonly RemedyRow[] = [
  {
    id: 'edit/unread',
    who: 'agent',
    says: /^File (?:has not|must) (?:yet )?be(?:en)? read|has not been read (?:yet|in this)|must (?:first )?read the file before|you must (?:use|call) .{0,40}read.{0,40}before/i,
    todo: 'Read the file in the same session before editing or overwriting it.',
    rule: tools('Before you edit or overwrite an existing file, read that file in the same session.'),
    example: 'File has not been read yet. Read it first before writing to it.',
    source: 'Claude Code: Edit, Write',
  },
  {
    id: 'edit/changed-since',
    who: 'agent',
    says: /(?:modified|changed) since (?:it was )?(?:last )?read|unexpectedly modified|file content has changed/i,
    todo: 'Read the file again after a formatter, another edit or a person changed it, then edit.',
    rule: tools(
      'After a formatter, a script or a person may have changed a file, read the part you want to edit again before you edit it.',
    ),
    example: 'File has been modified since read, either by the user or by a linter.',
    source: 'Claude Code: Edit, Write',
  },
  {
    id: 'edit/not-found-after-change',
    who: 'agent',
    course: 'changed-since-read',
    says: /(?:string|text|old_str(?:ing)?)\b.{0,60}\bnot found\b|no (?:replacement|match)\b.{0,40}(?:performed|found)|did not appear verbatim|could not find the string/i,
    todo: 'The file changed after it was read: read the part again before editing.',
    rule: tools(
      'If you or a command changed a file after you read it, read the part you want to replace again before the next edit of that file.',
    ),
    example: 'String to replace not found in file.\nString: total := 0',
    source: 'Claude Code: Edit; Anthropic text editor tool; SWE-agent',
  },
  {
    id: 'edit/not-found',
    who: 'agent',
    says: /(?:string|text|old_str(?:ing)?)\b.{0,60}\bnot found\b|no (?:replacement|match)\b.{0,40}(?:performed|found)|did not appear verbatim|could not find the string|\b0 occurrences found|failed to find (?:the )?(?:expected|context) lines|hunk .{0,20}(?:failed|not found)/i,
    todo: 'Copy the text to replace exactly from a fresh reading of the file, with its white space.',
    rule: tools(
      'Before you replace text in a file, read the current lines and copy the text to replace exactly, with its tabs and spaces, and keep it as short as is unique.',
    ),
    example: 'No replacement was performed, old_str did not appear verbatim in the file.',
    source: 'Claude Code: Edit; Anthropic text editor tool; Codex apply_patch',
  },
  {
    id: 'edit/many-matches',
    who: 'agent',
    says: /found \d+ matches of the string|multiple occurrences of (?:the )?(?:old_str|string|text)|is not unique in the file|old_string.{0,30}(?:matches|occurs|appears) (?:multiple|more than)|expected 1 occurrence/i,
    todo: 'Give more lines around the place, or replace all matches on purpose.',
    rule: tools(
      'When you replace text in a file, include enough neighbouring lines to match exactly one place, or ask for all matches only if every one must change.',
    ),
    example: 'Found 3 matches of the string to replace, but replace_all is false.',
    source: 'Claude Code: Edit; Gemini CLI: replace; Anthropic text editor tool',
  },
  {
    id: 'edit/no-change',
    who: 'agent',
    says: /no changes to (?:make|apply)|old_string and new_string are (?:exactly the same|identical)|already (?:matches|contains) the (?:new|requested)/i,
    todo: 'Compare the old and the new text before the edit: they were equal.',
    rule: tools(
      'Before you send an edit, make sure that the new text differs from the old text, and leave the edit out if the file is already right.',
    ),
    example: 'No changes to make: old_string and new_string are exactly the same.',
    source: 'Claude Code: Edit; Gemini CLI: replace',
  },
  {
    id: 'edit/file-exists',
    who: 'agent',
    says: /cannot create new file.{0,40}already exists|File already exists at|use the NotebookEdit/i,
    todo: 'The file is there already: read it and edit it with the tool for its kind.',
    rule: tools(
      'Before you create a file, check whether it exists, and change an existing one with the edit tool for its kind.',
    ),
    example: 'Cannot create new file - file already exists.',
    source: 'Claude Code: Edit; Anthropic text editor tool',
  },
  {
    id: 'read/too-large',
    who: 'agent',
    says: /file content \(.{1,40}\) exceeds|exceeds? maximum allowed (?:tokens|size)|use offset and limit|file (?:is )?too large to (?:read|open|display)|MaxFileReadTokenExceeded|too many (?:pages )?to read at once|use the pages parameter/i,
    todo: 'Search the large file first, then read the part around the match.',
    rule: tools(
      'If a file may be long, search it for the name you need and read only the lines around it, with an offset and a limit.',
    ),
    example: 'File content (31200 tokens) exceeds maximum allowed tokens (25000). Please use offset and limit.',
    source: 'Claude Code: Read; Gemini CLI: read_file',
  },
  {
    id: 'read/other-ending',
    who: 'agent',
    says: /does not exist\. Did you mean ([^\s?]{1,80})\?/i,
    todo: 'Use the name that the message offers, and take names from a listing.',
    rule: tools(
      'Before you open a configuration file, look up its exact name and ending in a listing, and when the error offers a similar name, use that one.',
    ),
    example: 'File does not exist. Did you mean settings.yaml?',
    source: 'Claude Code: Read',
  },
  {
    id: 'read/gone-after-listing',
    who: 'agent',
    course: 'path-listed-before',
    says: /^(?:File|Path|Directory) (?:does not exist|not found)|^(?!\(eval\)|[\w./-]{0,80}sh: |warning: could not open directory)[\s\S]{0,400}(?:no such file or directory|ENOENT)/i,
    todo: 'The path was listed earlier and is gone or was joined wrongly: list its folder again.',
    rule: tools(
      'If a path that you saw in a listing cannot be opened, list its folder again and copy the whole path from the new listing.',
    ),
    example: 'File does not exist.',
    source: 'Claude Code: Read',
  },
  {
    id: 'read/directory',
    who: 'agent',
    says: /EISDIR|^(?!(?:rm|cp|mv|rmdir)\b).{0,300}is a directory(?:, not a file)?$|illegal operation on a directory/i,
    todo: 'List the folder and open a file in it.',
    rule: tools('When a path may be a folder, list it first and open the files in it one by one.'),
    example: 'EISDIR: illegal operation on a directory, read',
    source: 'Node.js; Claude Code: Read',
  },
];
