import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformanceResults } from '#features/site/web/compatibility/results.ts'

const ROOT = join(import.meta.dirname, '../..')
const JSON_FILE = join(ROOT, 'features/site/web/compatibility/results.json')
const PAGE = join(ROOT, 'docs/compatibility.md')

/** The version of an installed package. */
export function readPackageVersion(name: string): string {
  return (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version
}

const SIGNS = { pass: '✓', fail: '✗' } as const
const sign = (cell: string | undefined): string => (cell === 'pass' || cell === 'fail' ? SIGNS[cell] : '–')

/** Writes the results as JSON for the site and as a page for the repository. */
export function writeConformanceReport(results: ConformanceResults): void {
  writeFileSync(JSON_FILE, `${JSON.stringify(results, null, 2)}\n`)
  const lines = [
    '# Compatibility',
    '',
    `Written by \`npm run conformance\` on ${results.on}; do not edit. Every client is used as its documentation says, through a whole`,
    'gateway with billing on, against the sandbox upstream: at a model of its own vendor (bytes pass untouched) and at models of the',
    'others (translated). ✓ passed · ✗ failed · – does not apply, see below.',
    '',
    `Models: ${Object.values(results.models).join(', ')}.`,
  ]
  for (const kind of ['sdk', 'cli'] as const) {
    const clients = results.clients.filter((client) => client.kind === kind)
    const features = [...new Set(clients.flatMap((client) => Object.values(client.cells).flatMap((cells) => Object.keys(cells))))]
    lines.push(
      '',
      kind === 'sdk' ? '## SDKs' : '## Command-line clients',
      '',
      `| client | version | models of | ${features.join(' | ')} |`,
      `|---|---|---|${features.map(() => '---').join('|')}|`,
    )
    for (const client of clients)
      for (const [vendor, cells] of Object.entries(client.cells))
        lines.push(
          `| ${client.label} | ${client.package} ${client.version} | ${vendor}${vendor === client.vendor ? ' (its own)' : ''} | ${features.map((feature) => sign(cells[feature])).join(' | ')} |`,
        )
  }
  const left = results.clients.flatMap((client) =>
    Object.entries(client.cells).flatMap(([vendor, cells]) =>
      Object.entries(cells).flatMap(([feature, cell]) =>
        cell === 'pass' ? [] : [`- ${client.label} at ${vendor}, ${feature}: ${REASON_TEXTS[cell] ?? cell}`],
      ),
    ),
  )
  lines.push('', '## What does not apply', '', ...left, '')
  writeFileSync(PAGE, lines.join('\n'))
}

const REASON_TEXTS: Readonly<Record<string, string>> = {
  'fail': 'failed',
  'whole-calls': 'calls come whole, in this API or from this vendor',
  'client-names': 'the client looks at the model’s name and sends no pictures or files to names it does not know',
  'client-auto': 'the client asks models that always think with `auto`, whatever was said',
  'client-silent': 'the client throws a broken stream’s error where no caller can catch it, at its own vendor’s models too',
}
