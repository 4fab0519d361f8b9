import { fail } from '#platform/shared/errors.ts'

/** A parsed command line. */
export interface ParsedCommandLine {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly code: string
  readonly breakGlass: string | undefined
  readonly previewOnly: boolean
}

const OWN_OPTIONS = new Set(['reason', 'code', 'break-glass', 'preview', 'as'])

/** Parses `COMMAND --field value`: a JSON value is parsed, anything else is text; a field without a value is true. */
export function parseCommandLine([name = '', ...words]: readonly string[]): ParsedCommandLine {
  const values: Record<string, string | boolean> = {}
  for (let at = 0; at < words.length; at++) {
    const field = words[at]!.startsWith('--') ? words[at]!.slice(2) : fail('BAD_INPUT', { unexpected: words[at] })
    const value = words[at + 1]
    values[field] = value === undefined || value.startsWith('--') ? true : words[++at]!
  }
  const input = Object.fromEntries(
    Object.entries(values)
      .filter(([field]) => !OWN_OPTIONS.has(field))
      .map(([field, value]) => [field, typeof value === 'string' ? parseValue(value) : true]),
  )
  return { name, input, ...readCommandOptions(values) }
}

/** Order numbers and amounts stay text. Only values that begin with a bracket, and JSON's literals, are parsed. */
function parseValue(text: string): unknown {
  if (!/^(?:[[{"]|true$|false$|null$)/.test(text)) return text.startsWith('=') ? Number(text.slice(1)) : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function readCommandOptions(values: Readonly<Record<string, unknown>>): Omit<ParsedCommandLine, 'name' | 'input'> {
  const text = (field: string) => (typeof values[field] === 'string' ? values[field] : undefined)
  return {
    reason: text('reason')?.trim() ?? '',
    code: text('code') ?? 'customerAsked',
    breakGlass: text('break-glass'),
    previewOnly: values['preview'] === true,
  }
}
