import { parseArgs } from 'node:util'
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

type Options = Readonly<Record<string, string | boolean | undefined>>
type CommandCall = readonly [name: string, input: Readonly<Record<string, unknown>>]
const failUsage = (text: string): never => fail('BAD_INPUT', { usage: text })

/** Command names from before operators existed. */
const ALIASES: Readonly<Record<string, (words: readonly string[], options: Options) => CommandCall>> = {
  'account:freeze': ([user = ''], { scope }) => ['account.freeze', { user, ...parseScopes(scope) }],
  'account:thaw': ([user = ''], { scope }) => ['account.thaw', { user, ...parseScopes(scope) }],
  'payments:order': ([what = '', subject = ''], options) => {
    const orderNo = { orderNo: subject }
    if (what === 'repair' || what === 'approve' || what === 'reject') return [`order.${what}`, orderNo]
    if (what === 'refund')
      return ['order.refund', { ...orderNo, ...(options['amount'] ? { amount: options['amount'] } : {}), withFee: options['with-fee'] === true }]
    if (what === 'fault') return ['fault.decide', { faultId: subject, verdict: options['approve'] ? 'approved' : 'dismissed' }]
    return failUsage('show|query|repair|refund|approve|reject ORDER_NO | faults | fault ID --approve|--dismiss')
  },
  'payments:withdrawals': ([what = '', withdrawalNo = ''], { days }) =>
    what === 'approve' || what === 'reject' || what === 'recheck' || what === 'hold' || what === 'release'
      ? [`withdrawal.${what}`, { withdrawalNo, ...(what === 'hold' && days ? { holdDays: Number(days) } : {}) }]
      : failUsage('list | approve NO | reject NO | hold NO [--days N] | release NO | recheck NO'),
  'identity:review': ([what = '', user = '']) =>
    what === 'approve' || what === 'reject' ? [`identity.${what}`, { user }] : failUsage('list | approve USER | reject USER'),
  'invitations:review': ([what = '', user = '']) =>
    what === 'hold' || what === 'release' || what === 'refuse'
      ? [`reward.${what}`, { user }]
      : failUsage('list | paid YEAR | hold USER | release USER | refuse USER'),
  'support:answer': (_words, { conversation, text, close, snooze, priority }) => {
    const one = { conversationId: conversation }
    if (text) return ['conversation.answer', { ...one, text }]
    if (close) return ['conversation.close', one]
    if (snooze) return snooze === 'off' ? ['conversation.wake', one] : ['conversation.snooze', { ...one, wakeAt: snooze }]
    if (priority) return ['conversation.priority', { ...one, priority }]
    return failUsage('--conversation ID --text "…" | --close | --snooze UNTIL | --snooze off | --priority urgent|high|normal')
  },
  'gateway:routes': ([what = '', subject = '', ...rest], options) => {
    const states: Readonly<Record<string, string>> = { activate: 'active', drain: 'draining', off: 'off' }
    if (states[what]) return ['upstream.state', { upstreamId: subject, state: states[what] }]
    if (what === 'retire-key') return ['upstream.retire-key', { upstreamId: subject }]
    if (what === 'test') return ['upstream.test', { upstreamId: subject, model: rest[0] }]
    if (what === 'upstream') return ['upstream.change', { upstreamId: subject, ...mapOptions(options, UPSTREAM_READERS) }]
    if (what === 'add') return ['route.change', { upstreamId: subject, models: rest, ...mapOptions(options, ROUTE_READERS) }]
    if (what === 'weight') return ['route.change', { upstreamId: subject, models: rest.slice(0, 1), weight: Number(rest[1]) }]
    if (what === 'remove') return ['route.remove', { upstreamId: subject, models: rest }]
    if (what === 'cheapest') return ['route.cheapest', { on: subject === 'on' }]
    return failUsage(
      'list | upstream ID | add UPSTREAM MODEL... | weight UPSTREAM MODEL N | drain|activate|off UPSTREAM | retire-key UPSTREAM | test UPSTREAM MODEL | remove UPSTREAM MODEL... | cheapest on|off',
    )
  },
}

export function resolveAlias(alias: string, args: readonly string[]): ParsedCommandLine {
  const read = ALIASES[alias] ?? failUsage(`unknown ${alias}`)
  const text = { type: 'string' } as const
  const named = [
    'reason',
    'code',
    'break-glass',
    'as',
    'amount',
    'scope',
    'conversation',
    'text',
    'days',
    'snooze',
    'priority',
    ...Object.keys(UPSTREAM_READERS),
    ...Object.keys(ROUTE_READERS),
  ]
  const { values, positionals } = parseArgs({
    ...{ args: [...args], allowPositionals: true, strict: false },
    options: {
      ...Object.fromEntries(named.map((name) => [name, text])),
      ...Object.fromEntries(['with-fee', 'approve', 'dismiss', 'close', 'preview'].map((name) => [name, { type: 'boolean' } as const])),
    },
  })
  const [name, input] = read(positionals, values as Options)
  return { name, input, ...readCommandOptions(values) }
}

/** Parses `--scope money_out,calls`. */
const parseScopes = (given: unknown) => (typeof given === 'string' ? { scopes: given.split(',') } : {})
const passText = (value: string): unknown => value
/** `none` removes a limit; the command refuses anything that is not a number. */
const parseLimit = (value: string): unknown => (value === 'none' ? null : Number(value))
const parseYesNo = (value: string): unknown => (value === 'yes' ? true : value === 'no' ? false : null)
const parseList = (value: string): unknown => (value === 'all' ? null : value.split(','))
/** 87.5 percent are 8750 basis points; never through floating point. */
const parsePercent = (value: string): unknown => {
  const parts = /^(\d{1,5})(?:\.(\d{1,2}))?$/.exec(value)
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : value
}
type Reader = readonly [field: string, read: (value: string) => unknown]
const UPSTREAM_READERS: Readonly<Record<string, Reader>> = {
  'vendor': ['vendor', passText],
  'base-url': ['baseUrl', (value) => value.replace(/\/+$/, '')],
  'credential': ['credentialEnv', passText],
  'bills-after-abort': ['billsAfterAbort', parseYesNo],
  'concurrent': ['concurrent', parseLimit],
  'per-minute': ['perMinute', parseLimit],
  'queue': ['queueLength', parseLimit],
  'queue-ms': ['queueMs', parseLimit],
  'first-byte-ms': ['firstByteMs', parseLimit],
  'between-ms': ['betweenMs', parseLimit],
}
const ROUTE_READERS: Readonly<Record<string, Reader>> = {
  'name': ['upstreamModel', passText],
  'priority': ['priority', parseLimit],
  'weight': ['weight', parseLimit],
  'cost': ['costBp', parsePercent],
  'dialects': ['dialects', parseList],
  'first-byte-ms': ['firstByteMs', parseLimit],
  'between-ms': ['betweenMs', parseLimit],
}

function mapOptions(options: Options, readers: Readonly<Record<string, Reader>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(readers).flatMap(([option, [field, read]]) => (typeof options[option] === 'string' ? [[field, read(options[option])]] : [])),
  )
}
