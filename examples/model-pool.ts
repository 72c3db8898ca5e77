import { RSILoop } from 'rsi-loop';
import { ModelPool, ModelRouter, OllamaModel, VllmModel } from 'rsi-loop/models';

const gpus = ['http://gpu-1:8000', 'http://gpu-2:8000'].map((url) => new VllmModel({ url })); // key: VLLM_API_KEY
const model = new ModelRouter({
  modes: { loop: new ModelPool(gpus), interactive: new OllamaModel({ model: 'qwen3:8b' }) },
  roles: { embed: new OllamaModel({ embedModel: 'nomic-embed-text' }) },
});
const loop = new RSILoop({ model });

await loop.close();
