/**
 * Column that makes the commit of its statement wait for the disk, also for a login with `synchronous_commit = off`, which
 * would lose what was acknowledged. Stricter settings stay.
 */
export const ON_DISK = `case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end as on_disk`;
