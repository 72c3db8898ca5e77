export { checkPostgres } from './check-postgres.js';
export type { PgClient, PgPool, TlsOptions } from './driver.js';
export { type MigrationReport, migrate } from './migrate.js';
export type { PostgresStoreOptions } from './postgres-options.js';
export { PostgresStore } from './postgres-store.js';
export { recordingStore } from './recording-store.js';
export { restorePostgres } from './restore-database.js';
export { roleScript } from './roles.js';
