/**
 * `npm run gateway:routes -- list | upstream ID | add UPSTREAM MODEL... | weight UPSTREAM MODEL N | drain|activate|off UPSTREAM |
 * remove UPSTREAM MODEL... | cheapest on|off`: where models are served (docs/routing.md). Everything but `list` needs
 * `--reason` and is audited; running gateways follow within a second.
 */
import { parseArgs } from 'node:util'
import { operatorNamed, runCommand } from '#platform/server/command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { changeRoutes, changeUpstream, preferCheapest, removeRoutes } from './change-routes.ts'
import { listRoutes } from './list-routes.ts'
import { routeChange, upstreamChange } from './read-options.ts'

const text = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'reason': text,
    'as': text,
    'vendor': text,
    'base-url': text,
    'credential': text,
    'bills-after-abort': text,
    'http': text,
    'concurrent': text,
    'per-minute': text,
    'queue': text,
    'queue-ms': text,
    'first-byte-ms': text,
    'between-ms': text,
    'name': text,
    'priority': text,
    'weight': text,
    'cost': text,
    'dialects': text,
  },
})
const STATES: Readonly<Record<string, 'active' | 'draining' | 'off'>> = { activate: 'active', drain: 'draining', off: 'off' }
const [what = 'list', subject = '', ...rest] = positionals
const operator = operatorNamed(values.as)

await runCommand('routes', {}, run)

async function run({ db }: Deps): Promise<void> {
  const reason = values.reason?.trim() ?? ''
  const state = STATES[what]
  if (what !== 'list' && !reason) fail('BAD_INPUT', { missing: '--reason' })
  if (what === 'upstream') await changeUpstream(db, operator, subject, upstreamChange(values), reason)
  else if (what === 'add') await changeRoutes(db, operator, subject, rest, routeChange(values), reason)
  else if (what === 'weight') await changeRoutes(db, operator, subject, rest.slice(0, 1), { weight: Number(rest[1]) }, reason)
  else if (what === 'remove') await removeRoutes(db, operator, subject, rest, reason)
  else if (what === 'cheapest' && (subject === 'on' || subject === 'off')) await preferCheapest(db, operator, subject === 'on')
  else if (state) await changeUpstream(db, operator, subject, { state }, reason)
  else if (what !== 'list') fail('BAD_INPUT', { unknown: what })
  for (const line of await listRoutes(db)) console.log(line)
}
