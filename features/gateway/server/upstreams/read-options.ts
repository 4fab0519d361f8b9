import { fail } from '#platform/shared/errors.ts'
import type { RouteChange, UpstreamChange } from './change-routes.ts'

type Options = Readonly<Record<string, string | undefined>>

/** `none` takes a limit away; what is no number is refused by the verb. */
const number = (value: string): number | null => (value === 'none' ? null : Number(value))
const yesNo = (value: string): boolean | null => (value === 'yes' ? true : value === 'no' ? false : null)
/** 87.5 percent are 8750 basis points; never through floating point. */
function basisPoints(percent: string): number {
  const parts = /^(\d{1,5})(?:\.(\d{1,2}))?$/.exec(percent)
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : fail('BAD_INPUT', { field: 'cost' })
}

export function upstreamChange(options: Options): UpstreamChange {
  return picked<UpstreamChange>(options, {
    'vendor': (value) => ({ vendor: value }),
    'base-url': (value) => ({ base_url: value.replace(/\/+$/, '') }),
    'credential': (value) => ({ credential_env: value }),
    'bills-after-abort': (value) => ({ bills_after_abort: yesNo(value) }),
    'http': (value) => ({ http: value as '1.1' }),
    'concurrent': (value) => ({ concurrent: number(value) }),
    'per-minute': (value) => ({ per_minute: number(value) }),
    'queue': (value) => ({ queue_length: Number(value) }),
    'queue-ms': (value) => ({ queue_ms: Number(value) }),
    'first-byte-ms': (value) => ({ first_byte_ms: number(value) }),
    'between-ms': (value) => ({ between_ms: number(value) }),
  })
}

export function routeChange(options: Options): RouteChange {
  return picked<RouteChange>(options, {
    'name': (value) => ({ upstream_model: value }),
    'priority': (value) => ({ priority: Number(value) }),
    'weight': (value) => ({ weight: Number(value) }),
    'cost': (value) => ({ cost_bp: basisPoints(value) }),
    'dialects': (value) => ({ dialects: value === 'all' ? null : value.split(',') }),
    'first-byte-ms': (value) => ({ first_byte_ms: number(value) }),
    'between-ms': (value) => ({ between_ms: number(value) }),
  })
}

/** Each option given, as a change; one that does not belong here is refused. */
function picked<T extends object>(options: Options, readers: Readonly<Record<string, (value: string) => T>>): T {
  const change = {} as T
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name === 'reason' || name === 'as') continue
    const reader = readers[name]
    if (!reader) fail('BAD_INPUT', { field: name })
    Object.assign(change, reader(value))
  }
  return change
}
