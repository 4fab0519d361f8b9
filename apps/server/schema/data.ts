import type { Sql } from '#platform/server/database/db.ts'

/** One column of a migrated table, as the catalogue describes it. */
export interface ColumnShape {
  readonly table: string
  readonly name: string
  /** Name in `pg_type`; arrays begin with an underscore (`_text`). */
  readonly type: string
  readonly isNullable: boolean
  /** Check constraints on this column alone, as expressions. */
  readonly checks: readonly string[]
}

/** Lists the columns of all tables, by table in the order of their names. Leaves out partitions, which share the columns of their table. */
export function selectColumns(sql: Sql): Promise<ColumnShape[]> {
  return sql.query<ColumnShape>(
    `select c.relname::text as table, a.attname::text as name, t.typname::text as type, not a.attnotnull as is_nullable,
       array(select pg_get_expr(k.conbin, k.conrelid) from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks
     from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
     order by c.relname collate "C", a.attnum`,
  )
}
