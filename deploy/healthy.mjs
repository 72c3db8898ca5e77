/** Health check of `rsi serve` in this container. Ends with 0 if it answers. */
const { RSI_TOKEN, PORT = '7747' } = process.env;
const headers = RSI_TOKEN ? { authorization: `Bearer ${RSI_TOKEN}` } : {};
try {
  const response = await fetch(`http://127.0.0.1:${PORT}/health`, { headers, signal: AbortSignal.timeout(4_000) });
  if (!response.ok) throw new Error(`it answers ${response.status}`);
} catch (error) {
  console.error(`rsi serve on port ${PORT}: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
