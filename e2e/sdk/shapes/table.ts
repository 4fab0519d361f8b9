import { SHAPE_VENDORS } from './shape.ts'
import type { RequestShape } from './shape.ts'

/** Outcome of one shape at one model. */
export interface ShapeOutcome {
  readonly status: number
  /** Parameters that were dropped. */
  readonly dropped: string
  readonly message: string
}

const NAMES: Readonly<Record<RequestShape['vendor'], string>> = { openai: 'OpenAI', anthropic: 'Claude', google: 'Gemini' }

const HEAD = `# Request shapes of clients, and their outcomes

Written by \`e2e/sdk/shapes/shapes.test.ts\`, which sends every shape through the whole server to a model of each vendor (with the sandbox as upstream) and fails
if this page differs from the outcomes. \`vitest run --project e2e e2e/sdk/shapes -u\` updates it. A shape is native at the model of its own vendor and is sent there byte for byte,
unknown fields included: the sandbox ignores them, the vendor may not. For the two other vendors it is translated ([translation](decisions/translation.md)). **Passed**: answered, with the whole request expressed. *without*: answered; these hints have no
equivalent in the other dialect, and the header \`x-mingxi-dropped\` of the answer names them. **Refused**: the answer would have been a different one.
`

/** Formats the page docs/shapes.md. */
export function formatShapesPage(
  groups: readonly (readonly [string, readonly { readonly shape: RequestShape; readonly outcomes: readonly ShapeOutcome[] }[]])[],
): string {
  const count = groups.reduce((sum, [, rows]) => sum + rows.length, 0)
  const tables = groups.map(([group, rows]) => {
    const head = `| ${group} | ${SHAPE_VENDORS.map((vendor) => NAMES[vendor]).join(' | ')} |\n|---|---|---|---|`
    const lines = rows.map(({ shape, outcomes }) => `| ${shape.name} | ${outcomes.map(formatOutcome).join(' | ')} |`)
    return `\n## ${group}\n\n${head}\n${lines.join('\n')}\n`
  })
  return `${HEAD}\n${count} shapes, ${count * SHAPE_VENDORS.length} calls.\n${tables.join('')}`
}

function formatOutcome({ status, dropped, message }: ShapeOutcome): string {
  if (status < 300)
    return dropped === ''
      ? 'passed'
      : `*without* ${dropped
          .split(', ')
          .map((name) => `\`${name}\``)
          .join(', ')}`
  // Cuts at the end of a sentence, since model names contain dots, and escapes pipes, which end a table cell.
  const sentence = /^.*?[.!](?=\s|$)/s.exec(message)?.[0] ?? message
  return `**refused** (${status}): ${sentence.replaceAll('|', '\\|').slice(0, 160)}`
}
