/** Options of a call, the same in the versions 2 to 4 of the SDK's interface. */
export interface AiSdkCallOptions {
  // biome-ignore lint/suspicious/noExplicitAny: the versions differ in what a prompt may hold, never in what is sent here.
  readonly prompt: any;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  // biome-ignore lint/suspicious/noExplicitAny: as above; the schema's type is that of another package.
  readonly responseFormat?: any;
  readonly abortSignal?: AbortSignal;
}

/** Part of the interface `LanguageModel` of the AI SDK (`LanguageModelV2` to `V4`) that is used here. */
export interface AiSdkLanguageModel {
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCallOptions): PromiseLike<unknown>;
  doStream(options: AiSdkCallOptions): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}
