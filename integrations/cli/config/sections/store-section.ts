import { DEFAULT_STORE } from '../../terminal/look.js';
import { path } from '../check-config.js';

export const storeCheck = path("a folder such as './rsi_data', or postgres://user@host/database", {
  fallback: DEFAULT_STORE,
});
