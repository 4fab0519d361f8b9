import { APP_ROLE, connect } from '../database/db.ts'
import type { Sql } from '../database/db.ts'

/** Functions that read the time in our statements, functions and defaults. */
const READS = ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'] as const
const PATH = 'test_clock, pg_catalog, public'

const MAKE = `
create schema if not exists test_clock;
create table if not exists test_clock.moved (ms bigint not null);
insert into test_clock.moved select 0 where not exists (select from test_clock.moved);
${READS.map(
  (name) => `create or replace function test_clock.${name}() returns timestamptz language sql ${name === 'clock_timestamp' ? 'volatile' : 'stable'} as
  'select pg_catalog.${name}() + (select ms from test_clock.moved) * interval ''1 millisecond''';`,
).join('\n')}
grant usage on schema test_clock to public;
grant select on test_clock.moved to public;
grant execute on all functions in schema test_clock to ${APP_ROLE};`

/** Redirects existing uses of the database's clock: functions with their own search path, and column defaults. */
const REDIRECT = `
do $$ declare it record; begin
  for it in select p.oid::regprocedure as name, c as setting from pg_proc p cross join unnest(p.proconfig) as c
    where c like 'search_path=%' and c not like '%test_clock%' and p.pronamespace = 'public'::regnamespace
  loop execute format('alter function %s set search_path = ${PATH}, pg_temp', it.name); end loop;
  for it in select d.adrelid::regclass as relation, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) ~ '(^|[^_.\\w])(${READS.join('|')})\\(\\)'
  loop execute format('alter table %s alter column %I set default %s', it.relation, it.name,
    regexp_replace(it.value, '(^|[^_.\\w])(${READS.join('|')})\\(\\)', '\\1test_clock.\\2()', 'g')); end loop;
  execute format('alter database %I set search_path = ${PATH}', current_database());
end $$`

/** Installs a clock that tests can move: from the next connection on, every statement reads it. Idempotent. */
export async function installTestClock(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 1, asOwner: true, name: 'mingxi-test-clock' })
  try {
    await db.query(MAKE)
    await db.query(REDIRECT)
  } finally {
    await db.close()
  }
}

/** True if the database's clock can be moved; production refuses to start on such a database. */
export async function hasTestClock(sql: Sql): Promise<boolean> {
  return (await sql.query(`select 1 from pg_namespace where nspname = 'test_clock'`)).length > 0
}

/** Sets how far the database's clock is ahead of the machine's. */
export async function setTestClock(sql: Sql, ms: number): Promise<void> {
  await sql.query('update test_clock.moved set ms = $1', [ms])
}
