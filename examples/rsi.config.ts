import { defineConfig } from 'rsi-loop/config';

export default defineConfig({
  store: './rsi_data',
  loop: { autoFix: true, recurrenceThreshold: 3, idempotent: { search: true } },
});
