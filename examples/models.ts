import { RSILoop } from 'rsi-loop';
import { selectModel } from 'rsi-loop/models';

const { model, why } = await selectModel(); // asks vLLM and Ollama on this machine, or where RSI_VLLM_URL and RSI_OLLAMA_URL say
console.log(why.join('\n'));
const loop = new RSILoop({ ...(model && { model }) }); // without one, the rules alone decide

await loop.close();
