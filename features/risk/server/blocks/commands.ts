import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act, Facts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { BLOCK_KINDS } from '../../contract-blocks.console.ts'
import { deviceDigests, findKept, insertBlock, liftBlock, lockBlocks, subjectsOf } from './data.ts'
import { networkOf } from './network.ts'

const DAY_MS = 86_400_000
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

const blockInput = z.object({
  kind: z.enum(BLOCK_KINDS),
  /** 203.0.113.0/24, example.com, or the id of a customer whose devices are meant. */
  value: z.string().trim().min(1).max(253),
  days: z.int().min(1).max(366),
  note: z.string().trim().max(200).default(''),
})
type Block = z.output<typeof blockInput>

async function nameOf({ db }: Deps, { kind, value }: Block): Promise<string> {
  const wrong = () => fail('BAD_INPUT', { fields: ['value'] })
  if (kind === 'network') return networkOf(value) ?? wrong()
  if (kind === 'mailDomain') {
    const domain = value.toLowerCase().replace(/^@/, '')
    return DOMAIN.test(domain) ? domain : wrong()
  }
  return (await deviceDigests(db, value)).length ? value : fail('NOT_FOUND')
}

async function lookAt({ tx, deps }: Act, { kind, value }: Pick<Block, 'kind' | 'value'>): Promise<Facts> {
  const row = await findKept(tx, kind, value, deps.clock.now())
  const devices = kind === 'device' ? await deviceDigests(tx, value) : []
  return {
    blocked: row !== undefined,
    until: row?.ends_at.toISOString().slice(0, 10) ?? null,
    // a device may be a household's, or a shop's
    ...(kind === 'device' ? { devices: devices.length, customers: await subjectsOf(tx, devices) } : {}),
  }
}

const common = { permission: 'risk.block' } as const

export const blockCommands = [
  defineCommand({
    ...common,
    name: 'risk.block',
    summary: 'Lets a network, a mail domain or a customer’s devices sign up and in no more, for some days; sessions that are open stay',
    input: blockInput,
    resolve: async (deps, input) => ({ ...input, value: await nameOf(deps, input) }),
    subject: async (_deps, { kind, value }) => `block:${kind}:${value}`,
    look: lookAt,
    loose: ['devices', 'customers'],
    run: async ({ tx, deps, by, reason }, { kind, value, days, note }) => {
      const now = deps.clock.now()
      await lockBlocks(tx)
      if (await findKept(tx, kind, value, now)) fail('BAD_INPUT', { fields: ['value'] })
      const id = newId('rbl', now.getTime())
      const digests = kind === 'device' ? await deviceDigests(tx, value) : []
      await insertBlock(tx, { id, kind, value, digests, note, made_by: by.id, made_at: now, ends_at: new Date(now.getTime() + days * DAY_MS) })
      await tx.audit('risk.blocked', `block:${id}`, { kind, value, days, note, reason })
      return { block: id }
    },
    undo: ({ kind, value }) => ({ name: 'risk.unblock', input: { kind, value } }),
  }),
  defineCommand({
    ...common,
    name: 'risk.unblock',
    summary: 'Lifts a block before its end',
    input: blockInput.pick({ kind: true, value: true }),
    subject: async ({ db, clock }, { kind, value }) => ((await findKept(db, kind, value, clock.now())) ? `block:${kind}:${value}` : fail('NOT_FOUND')),
    look: lookAt,
    loose: ['devices', 'customers'],
    run: async ({ tx, deps, by, reason }, { kind, value }) => {
      const now = deps.clock.now()
      await lockBlocks(tx)
      const row = (await findKept(tx, kind, value, now)) ?? fail('NOT_FOUND')
      if (!(await liftBlock(tx, row.id, by.id, now))) fail('NOT_FOUND')
      await tx.audit('risk.unblocked', `block:${row.id}`, { kind, value, reason })
      return {}
    },
  }),
] as const
