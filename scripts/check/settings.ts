import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { z } from 'zod'
import { features } from '#apps/server/features.ts'
import { platformConfig } from '#platform/server/config.ts'
import type { ConfigShape } from '#platform/server/config.ts'
import { isTest, walk } from './walk.ts'

const PAGE = 'docs/settings.md'
const HEAD = `# Settings

Written by \`node scripts/check/settings.ts --write\` from the schemas that the server reads; \`npm run check settings\` refuses a page that is out of date.

## Environment

Read once at the start; every problem is printed together. \`NAME_FILE\` names a file that holds the value of \`NAME\`. What has no default may be left out, but for what a row says.
`
const RUNTIME = `
## At run time

Values that operators change while the server runs: rows of the table \`settings\` (\`key\`, \`value\` as JSON), the default without one. A process notices a change within two seconds.
\`npm run operate -- setting.change --key site.landing --value '"member"' --reason "…"\` changes one; every value of before is kept, and \`setting.revert\` brings it back.
A value that its schema refuses counts as absent.
`

/** Reads the doc comment above the line that first names a setting, as one line. */
export function findSettingComment(name: string, sources: readonly string[]): string {
  for (const text of sources) {
    const at = new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*[^\n]*\b${name}\b`).exec(text)
    if (at)
      return at[1]!
        .replace(/\n\s*\* ?/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
  }
  return ''
}

/** Description of a setting: its comment, its schema's description, else the page of docs/vendors that mentions it. */
function describeSetting(name: string, { config, sources, pages }: SettingGroup): string {
  const page = pages.find(({ text }) => new RegExp(String.raw`\b${name}\b`).test(text))
  return findSettingComment(name, sources) || config[name]?.description || (page ? `See [${page.name}](vendors/${page.name}.md).` : '')
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')
const formatCode = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text === '' || text === '[]' ? '–' : `\`${escapeCell(text.length > 90 ? `${text.slice(0, 87)}…` : text)}\``
}

function formatDefault(schema: z.ZodType): string {
  const { success, data } = schema.safeParse(undefined)
  return success ? formatCode(Array.isArray(data) ? data.join(',') : data) : 'required'
}

export interface SettingGroup {
  readonly name: string
  readonly config: ConfigShape
  readonly settings: readonly { readonly key: string; readonly fallback: unknown; readonly about: string }[]
  readonly sources: readonly string[]
  /** Pages of docs/vendors. */
  readonly pages: readonly { readonly name: string; readonly text: string }[]
}

/** Settings without any description. */
export function listUnexplained(groups: readonly SettingGroup[]): string[] {
  return groups.flatMap((group) => Object.keys(group.config).filter((name) => !describeSetting(name, group)))
}

/** The page for these groups. */
export function buildSettingsPage(groups: readonly SettingGroup[]): string {
  const environment = groups
    .filter(({ config }) => Object.keys(config).length)
    .map((group) => {
      const rows = Object.entries(group.config).map(([key, schema]) => `| \`${key}\` | ${formatDefault(schema)} | ${escapeCell(describeSetting(key, group))} |`)
      return `\n### ${group.name}\n\n| name | default | what it does |\n|---|---|---|\n${rows.join('\n')}\n`
    })
  const runtime = groups
    .flatMap(({ settings }) => settings)
    .map(({ key, fallback, about }) => `| \`${key}\` | ${formatCode(fallback)} | ${escapeCell(about.replace(/\s+/g, ' '))} |`)
  return `${HEAD}${environment.join('')}${RUNTIME}\n| key | default | what it is |\n|---|---|---|\n${runtime.join('\n')}\n`
}

function listGroups(root: string): SettingGroup[] {
  const read = (folder: string) =>
    walk(join(root, folder))
      .filter((path) => path.endsWith('.ts') && !isTest(path) && !relative(root, path).includes('/hot/'))
      .map((path) => readFileSync(path, 'utf8'))
  const shared = [readFileSync(join(root, 'platform/server/config.ts'), 'utf8')]
  const pages = walk(join(root, 'docs/vendors')).map((path) => ({ name: basename(path, '.md'), text: readFileSync(path, 'utf8') }))
  return [
    { name: 'The server', config: platformConfig, settings: [], sources: shared, pages },
    ...features.map(({ name, config, settings }) => ({
      name,
      config: config ?? {},
      settings: settings ?? [],
      sources: read(`features/${name}/server`),
      pages,
    })),
  ]
}

if (import.meta.main) {
  const root = process.cwd()
  const groups = listGroups(root)
  const page = buildSettingsPage(groups)
  if (process.argv.includes('--write')) writeFileSync(join(root, PAGE), page)
  const problems = listUnexplained(groups).map((name) => `${name}: a doc comment above it says what it does`)
  if (readFileSync(join(root, PAGE), 'utf8') !== page) problems.push(`${PAGE} is not what the schemas say: node scripts/check/settings.ts --write`)
  if (problems.length) console.error(problems.join('\n'))
  process.exitCode = problems.length ? 1 : 0
}
