/** Message of a prompt, as it is sent here: part of `LanguageModelV2Message` to `V4`. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] };

/** Options of a call, the same in the versions 2 to 4 of the SDK's interface. */
export interface AiSdkCallOptions {
  readonly prompt: AiSdkMessage[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** The schema is a JSON schema. The SDK takes its type from another package. */
  readonly responseFormat?: { readonly type: 'json'; readonly schema: object; readonly name: string };
  readonly abortSignal?: AbortSignal;
}

/** Part of the interface `LanguageModel` of the AI SDK (`LanguageModelV2` to `V4`) that is used here. */
export interface AiSdkLanguageModel {
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCallOptions): PromiseLike<unknown>;
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}
