import { toPropertyName } from '#platform/server/database/column-names.ts'
import { findTableOwner } from '../../../scripts/check/tables.ts'
import type { ColumnShape } from './data.ts'

const HEADER = `/** Rows of the tables, as the driver returns them. Generated from the migrated schema by \`npm run db:types\`; do not edit. */\n`

/** Maximum length of a line (.oxfmtrc.json): the generated files are formatted as the formatter would. */
const LINE_LENGTH = 160

/** Types of the values that the driver returns (platform/server/database/db.ts parses int8), by name in `pg_type`. */
export const DRIVER_TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  xid8: 'string',
  _bytea: 'readonly Buffer[]',
  _int4: 'readonly number[]',
  // The parser of int8 applies to single values only.
  _int8: 'readonly string[]',
  _text: 'readonly string[]',
}

/** Columns with the id of a language: which ones there are is a list of the program (platform/shared/languages.ts). */
const LANGUAGE_COLUMNS: ReadonlySet<string> = new Set(['lang', 'language'])
const LANGUAGE_IMPORT = `import type { Lang } from '#platform/shared/languages.ts'\n`

/** Parses a check like `(state = ANY (ARRAY['new'::text, 'done'::text]))` into its literals; undefined for other checks. */
export function parseEnumeration(check: string): string[] | undefined {
  const list = /^\(\w+ = ANY \(ARRAY\[((?:'(?:[^']|'')*'::text(?:, )?)+)\]\)\)$/.exec(check)?.[1]
  return list === undefined ? undefined : [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => value.replaceAll("''", "'"))
}

const quote = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

function formatProperty({ table, name, type, isNullable, checks }: ColumnShape): string {
  const driverType = type === 'text' && LANGUAGE_COLUMNS.has(name) ? 'Lang' : DRIVER_TYPES[type]
  if (driverType === undefined) throw new Error(`${table}.${name}: add the driver's type for ${type} to DRIVER_TYPES`)
  const literals = type === 'text' ? checks.map(parseEnumeration).find((values) => values !== undefined) : undefined
  const members = [...(literals?.map(quote) ?? [driverType]), ...(isNullable && driverType !== 'unknown' ? ['null'] : [])]
  const start = `  readonly ${toPropertyName(name)}:`
  const line = `${start} ${members.join(' | ')}`
  return line.length > LINE_LENGTH ? `${start}${members.map((member) => `\n    | ${member}`).join('')}` : line
}

/** `gateway_usage` to `GatewayUsageRow`. */
const toInterfaceName = (table: string): string => toPropertyName(`_${table}_row`)

function formatTable(table: string, columns: readonly ColumnShape[]): string {
  return `\nexport interface ${toInterfaceName(table)} {\n${columns.map((column) => `${formatProperty(column)}\n`).join('')}}\n`
}

/** Builds the files of row types, by path: one for each feature that owns tables, and one for the platform's tables. */
export function buildRowTypes(columns: readonly ColumnShape[], features: readonly string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const [table, own = []] of Object.entries(Object.groupBy(columns, (column) => column.table))) {
    const owner = findTableOwner(table, features)
    const path = owner === undefined ? 'platform/server/database/tables.ts' : `features/${owner}/server/tables.ts`
    files.set(path, (files.get(path) ?? HEADER) + formatTable(table, own))
  }
  for (const [path, text] of files)
    if (/: Lang\b/.test(text))
      files.set(
        path,
        text.replace(HEADER, () => HEADER + LANGUAGE_IMPORT),
      )
  return files
}
