/** Message for an input in which nothing could be read. */
export const NOTHING_READ = `Nothing was found to read. Name a folder of transcripts such as ~/.claude/projects, a file
of traces, or one with a line of JSON for each task, such as
  {"task": "api_call", "success": false, "error": "429 Too Many Requests"}
docs/import.md lists the formats.
`;
