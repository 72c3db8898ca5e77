import type { Embedder } from 'rsi-loop';
import { RetrievalIndex } from 'rsi-loop/skills/core';
import { isRow, rowOf, text } from './read-fields.js';

/** Index of tools. `nearest` returns those that fit a task, best first; none if nothing fits. */
export interface ToolIndex<Found> {
  /** `limit` is the maximum number of tools. Default 3. */
  nearest(task: string, options?: { readonly limit?: number }): Promise<Found>;
}

/** Options of `indexTools`. */
export interface IndexToolsOptions {
  /** Compares by meaning. Default: by words. */
  readonly embedder?: Embedder;
}

/**
 * Creates an index of the tools of a host, so that a model gets only those that fit a task. Accepts tools by name or in
 * a list: of the AI SDK, LangChain, OpenAI Agents, MCP, or of the model's API. Compares their names and descriptions,
 * as skills are compared.
 */
export function indexTools<Tool>(tools: readonly Tool[], options?: IndexToolsOptions): ToolIndex<readonly Tool[]>;
export function indexTools<Tools extends object>(tools: Tools, options?: IndexToolsOptions): ToolIndex<Partial<Tools>>;
export function indexTools(tools: object, { embedder }: IndexToolsOptions = {}): ToolIndex<object> {
  const isList = Array.isArray(tools);
  const entries = Object.entries(tools).map(([key, tool]) => ({ key, tool, ...wordsOf(tool, isList ? '' : key) }));
  const index = new RetrievalIndex(entries, embedder);
  return {
    nearest: async (task, { limit } = {}) => {
      const found = await index.nearest(task, limit === undefined ? {} : { limit });
      return isList
        ? found.map(({ entry }) => entry.tool)
        : Object.fromEntries(found.map(({ entry }) => [entry.key, entry.tool]));
    },
  };
}

/** Returns the name and the description of a tool. APIs of models hold both in `function`. */
function wordsOf(tool: unknown, key: string): { readonly name: string; readonly description: string } {
  const fields = typeof tool === 'function' ? tool : isRow(rowOf(tool).function) ? rowOf(tool).function : tool;
  const { name, description } = Object(fields) as { readonly name?: unknown; readonly description?: unknown }; // any value
  return { name: key || (text(name) ?? ''), description: text(description) ?? '' };
}
