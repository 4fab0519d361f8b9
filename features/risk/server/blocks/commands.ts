import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { BLOCK_KINDS } from '../../contract-blocks.console.ts'
import { findActiveBlock, insertBlock, liftBlock, lockBlocks, selectSubjectDigests, countMarkedSubjects } from './data.ts'
import { parseNetwork } from './network.ts'
import { maskPayer, loadPayerDigests, formatPayer } from './payer.ts'

const DAY_MS = 86_400_000
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

const blockInput = z.object({
  kind: z.enum(BLOCK_KINDS),
  /**
   * 203.0.113.0/24, example.com, the id of a customer (blocks the customer's devices or payers), or 11:2088…, a payer's id at a channel.
   */
  value: z.string().trim().min(1).max(253),
  days: z.int().min(1).max(366),
  note: z.string().trim().max(200).default(''),
})
type Block = z.output<typeof blockInput>
type BlockKey = Pick<Block, 'kind' | 'value'>

async function normalizeBlockValue(deps: Deps, { kind, value }: Block): Promise<string> {
  const wrong = () => fail('BAD_INPUT', { fields: ['value'] })
  if (kind === 'network') return parseNetwork(value) ?? wrong()
  if (kind === 'mailDomain') {
    const domain = value.toLowerCase().replace(/^@/, '')
    return DOMAIN.test(domain) ? domain : wrong()
  }
  return (await loadDigests(deps, deps.db, { kind, value })).length ? value : fail('NOT_FOUND')
}

const loadDigests = (keys: Pick<Deps, 'secretKeys'>, sql: Sql, { kind, value }: { readonly kind: 'device' | 'payer'; readonly value: string }) =>
  kind === 'payer' ? loadPayerDigests(keys, sql, value) : selectSubjectDigests(sql, 'device', value)
/** Display form for lists and the audit. */
const formatBlockValue = (keys: Pick<Deps, 'secretKeys'>, { kind, value }: BlockKey) => (kind === 'payer' ? formatPayer(keys, value) : value)

async function lookAtBlock({ tx, deps }: CommandExecution, named: BlockKey): Promise<CommandFacts> {
  const { kind, value } = named
  const row = await findActiveBlock(tx, kind, { value: formatBlockValue(deps, named), now: deps.clock.now() })
  const digests = kind === 'device' || kind === 'payer' ? await loadDigests(deps, tx, { kind, value }) : []
  return {
    blocked: row !== undefined,
    until: row?.endsAt.toISOString().slice(0, 10) ?? null,
    // a device or a payer may be shared, e.g. by a household or a shop, so show how many customers are affected
    ...(kind === 'device' ? { devices: digests.length, customers: await countMarkedSubjects(tx, kind, digests) } : {}),
    ...(kind === 'payer' ? { payers: digests.length, customers: await countMarkedSubjects(tx, kind, digests) } : {}),
  }
}

const common = { permission: 'risk.block' } as const

export const blockCommands = [
  defineCommand({
    ...common,
    name: 'risk.block',
    summary:
      'Lets a network, a mail domain or a customer’s devices sign up and in no more, for some days; sessions that are open stay. What a blocked payer pays is not credited and goes back',
    input: blockInput,
    resolve: async (deps, input) => ({ ...input, value: await normalizeBlockValue(deps, input) }),
    conceal: ({ kind, value }) => (kind === 'payer' && maskPayer(value) !== value ? { value: maskPayer(value) } : {}),
    subject: async (deps, named) => `block:${named.kind}:${formatBlockValue(deps, named)}`,
    look: lookAtBlock,
    loose: ['devices', 'payers', 'customers'],
    run: async ({ tx, deps, by, reason }, { kind, value: given, days, note }) => {
      const value = formatBlockValue(deps, { kind, value: given })
      const now = deps.clock.now()
      await lockBlocks(tx)
      if (await findActiveBlock(tx, kind, { value, now })) fail('BAD_INPUT', { fields: ['value'] })
      const id = createId('rbl', now.getTime())
      const digests = kind === 'device' || kind === 'payer' ? await loadDigests(deps, tx, { kind, value: given }) : []
      await insertBlock(tx, { id, kind, value, digests, note, madeBy: by.id, madeAt: now, endsAt: new Date(now.getTime() + days * DAY_MS) })
      await tx.audit('risk.blocked', `block:${id}`, { kind, value, days, note, reason })
      return { block: id }
    },
    // a payer's id is not stored: use the masked name from the list to lift its block
    undo: ({ kind, value }) => (value.includes('…') ? undefined : { name: 'risk.unblock', input: { kind, value } }),
  }),
  defineCommand({
    ...common,
    name: 'risk.unblock',
    summary: 'Lifts a block before its end',
    input: blockInput.pick({ kind: true, value: true }),
    resolve: async (deps, named) => ({ ...named, value: formatBlockValue(deps, named) }),
    subject: async ({ db, clock }, { kind, value }) =>
      (await findActiveBlock(db, kind, { value, now: clock.now() })) ? `block:${kind}:${value}` : fail('NOT_FOUND'),
    look: lookAtBlock,
    loose: ['devices', 'payers', 'customers'],
    run: async ({ tx, deps, by, reason }, { kind, value }) => {
      const now = deps.clock.now()
      await lockBlocks(tx)
      const row = (await findActiveBlock(tx, kind, { value, now })) ?? fail('NOT_FOUND')
      if (!(await liftBlock(tx, row.id, { by: by.id, at: now }))) fail('NOT_FOUND')
      await tx.audit('risk.unblocked', `block:${row.id}`, { kind, value, reason })
      return {}
    },
  }),
] as const
