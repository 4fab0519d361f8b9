import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act, Facts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { smsRegions } from '#features/notices/server/door.ts'
import { SEVERITIES, WAY_KINDS } from '../../alarms.ts'
import { findOperator } from '../access/data.ts'
import { changeWay, endWay, findAlarm, findWay, findWayTo, insertWay, takeAlarm } from './data.ts'
import type { WayRow } from './data.ts'
import { maskedAddress } from './masked-address.ts'
import { HOOK_PURPOSE } from './deliver-hook.ts'

const clockTime = z.string().regex(/^(?:|(?:[01]\d|2[0-3]):[0-5]\d)$/)
const tellInput = z.object({
  operatorId: z.string().min(1).max(80),
  kind: z.enum(WAY_KINDS),
  address: z.string().trim().max(500).default(''),
  severity: z.enum(SEVERITIES),
  waitMinutes: z.int().min(0).max(1440).default(0),
  /** Hours of Shanghai in which the way is left alone; none when empty. */
  ...{ quietFrom: clockTime.default(''), quietTo: clockTime.default('') },
})
type Tell = z.output<typeof tellInput>

/** A number we carry messages to, an https address of the public internet, or nothing for mail. */
async function addressOf(deps: Deps, { kind, address }: Tell): Promise<string> {
  const wrong = () => fail('BAD_INPUT', { fields: ['address'] })
  if (kind === 'mail') return address === '' ? '' : wrong()
  if (kind === 'sms') {
    const regions = await smsRegions(deps)
    return /^\+[1-9]\d{6,14}$/.test(address) && regions.some((region) => address.startsWith(`+${region}`)) ? address : wrong()
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' && !url.username && !url.password && url.hostname.includes('.') ? url.href : wrong()
}

const minutesOf = (text: string) => (text === '' ? null : Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
const textOf = (minutes: number | null) =>
  minutes === null ? '' : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const factsOf = (way: WayRow | undefined): Facts =>
  way
    ? { told: true, severity: way.severity, waitMinutes: way.wait_minutes, quietFrom: textOf(way.quiet_from), quietTo: textOf(way.quiet_to) }
    : { told: false, severity: null, waitMinutes: null, quietFrom: null, quietTo: null }
const lookTell = async ({ tx }: Act, { operatorId, kind, address }: Tell) => factsOf(await findWayTo(tx, operatorId, kind, address))

const tell = defineCommand({
  name: 'alarm.tell',
  summary: 'Sends alarms to an operator by mail, text message or webhook, from a severity on; repeated, it changes the way',
  permission: 'alarms.manage',
  input: tellInput,
  resolve: async (deps, input) => ({ ...input, address: await addressOf(deps, input) }),
  conceal: (input) => (input.kind === 'mail' ? {} : { address: maskedAddress(input) }),
  subject: async ({ db }, { operatorId }) => `operator:${((await findOperator(db, operatorId)) ?? fail('NOT_FOUND')).id}`,
  look: lookTell,
  run: async ({ tx, deps, by, reason }, input) => {
    const [from, to] = [minutesOf(input.quietFrom), minutesOf(input.quietTo)]
    if ((from === null) !== (to === null) || (from !== null && from === to)) fail('BAD_INPUT', { fields: ['quietTo'] })
    const made = { severity: input.severity, wait_minutes: input.waitMinutes, quiet_from: from, quiet_to: to }
    const known = await findWayTo(tx, input.operatorId, input.kind, input.address)
    const now = deps.clock.now()
    const id = known?.id ?? newId('alw', now.getTime())
    if (known) await changeWay(tx, id, made)
    else {
      const secret = input.kind === 'webhook' ? seal(deps.secretKey, HOOK_PURPOSE, id, `whsec_${randomBytes(32).toString('base64url')}`) : null
      await insertWay(tx, {
        ...made,
        id,
        operator_id: input.operatorId,
        kind: input.kind,
        address: input.address,
        secret_sealed: secret,
        made_by: by.id,
        made_at: now,
      })
    }
    await tx.audit('alarm.way-set', `operator:${input.operatorId}`, { way: id, kind: input.kind, severity: input.severity, reason })
    return { way: id }
  },
  // a way of before gets its old terms back; a new one is taken away by its row
  undo: (input, before) =>
    before['told'] === true
      ? {
          name: 'alarm.tell',
          input: {
            ...input,
            ...{ severity: before['severity'], waitMinutes: before['waitMinutes'], quietFrom: before['quietFrom'], quietTo: before['quietTo'] },
          },
        }
      : undefined,
})

const wayInput = z.object({ way: z.string().min(1).max(80) })
const untell = defineCommand({
  name: 'alarm.untell',
  summary: 'Ends a way of alarms; with none left, the owners get mail',
  permission: 'alarms.manage',
  input: wayInput,
  subject: async ({ db }, { way }) => `operator:${((await findWay(db, way)) ?? fail('NOT_FOUND')).operator_id}`,
  look: async ({ tx }, { way }) => {
    const row = await findWay(tx, way)
    return { told: row !== undefined && row.ended_at === null, kind: row?.kind ?? null }
  },
  run: async ({ tx, deps, reason }, { way }) => {
    if (!(await endWay(tx, way, deps.clock.now()))) fail('NOT_FOUND')
    await tx.audit('alarm.way-ended', `way:${way}`, { reason })
    return {}
  },
})

const take = defineCommand({
  name: 'alarm.take',
  summary: 'Takes an alarm: no more messages about it are sent',
  permission: 'alarms.answer',
  input: z.object({ alarm: z.string().min(1).max(80) }),
  subject: async ({ db }, { alarm }) => `alarm:${((await findAlarm(db, alarm)) ?? fail('NOT_FOUND')).id}`,
  look: async ({ tx }, { alarm }) => {
    const row = await findAlarm(tx, alarm)
    return { open: row !== undefined && row.closed_at === null, takenBy: row?.taken_by ?? null }
  },
  run: async ({ tx, deps, by }, { alarm }) => {
    if (!(await takeAlarm(tx, alarm, by.id, deps.clock.now()))) fail('NOT_FOUND')
    await tx.audit('alarm.taken', `alarm:${alarm}`, {})
    return {}
  },
})

export const alarmCommands = [tell, untell, take] as const
