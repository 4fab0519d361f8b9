import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { listSmsRegions } from '#features/notices/server/door.ts'
import { ALARM_SEVERITIES, ALARM_ROUTE_KINDS } from '../../alarms.ts'
import { findOperator } from '../access/data.ts'
import { updateAlarmRoute, endAlarmRoute, findAlarm, findAlarmRoute, findAlarmRouteTo, insertAlarmRoute, takeAlarm } from './data.ts'
import type { AlarmRouteRow } from './data.ts'
import { maskAddress } from './masked-address.ts'
import { ALARM_HOOK_PURPOSE } from './deliver-hook.ts'

const clockTime = z.string().regex(/^(?:|(?:[01]\d|2[0-3]):[0-5]\d)$/)
const routeFields = z.object({
  operatorId: z.string().min(1).max(80),
  kind: z.enum(ALARM_ROUTE_KINDS),
  address: z.string().trim().max(500).default(''),
  severity: z.enum(ALARM_SEVERITIES),
  waitMinutes: z.int().min(0).max(1440).default(0),
  /** Quiet hours of the route in Shanghai time; none if empty. */
  ...{ quietFrom: clockTime.default(''), quietTo: clockTime.default('') },
})
type RouteFields = z.output<typeof routeFields>

/** Validates a route's address: a supported phone number, a public https URL, or nothing for mail. */
async function normalizeAddress(deps: Deps, { kind, address }: RouteFields): Promise<string> {
  const wrong = () => fail('BAD_INPUT', { fields: ['address'] })
  if (kind === 'mail') return address === '' ? '' : wrong()
  if (kind === 'sms') {
    const regions = await listSmsRegions(deps)
    return /^\+[1-9]\d{6,14}$/.test(address) && regions.some((region) => address.startsWith(`+${region}`)) ? address : wrong()
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' && !url.username && !url.password && url.hostname.includes('.') ? url.href : wrong()
}

const parseMinutes = (text: string) => (text === '' ? null : Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
const formatMinutes = (minutes: number | null) =>
  minutes === null ? '' : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const describeRoute = (way: AlarmRouteRow | undefined): CommandFacts =>
  way
    ? { told: true, severity: way.severity, waitMinutes: way.waitMinutes, quietFrom: formatMinutes(way.quietFrom), quietTo: formatMinutes(way.quietTo) }
    : { told: false, severity: null, waitMinutes: null, quietFrom: null, quietTo: null }
const lookAtRoute = async ({ tx }: CommandExecution, { operatorId, kind, address }: RouteFields) =>
  describeRoute(await findAlarmRouteTo(tx, operatorId, { kind, address }))

const tellCommand = defineCommand({
  name: 'alarm.tell',
  summary: 'Sends alarms to an operator by mail, text message or webhook, from a severity on; repeated, it changes the way',
  permission: 'alarms.manage',
  input: routeFields,
  resolve: async (deps, input) => ({ ...input, address: await normalizeAddress(deps, input) }),
  conceal: (input) => (input.kind === 'mail' ? {} : { address: maskAddress(input) }),
  subject: async ({ db }, { operatorId }) => `operator:${((await findOperator(db, operatorId)) ?? fail('NOT_FOUND')).id}`,
  look: lookAtRoute,
  run: async ({ tx, deps, by, reason }, input) => {
    const [from, to] = [parseMinutes(input.quietFrom), parseMinutes(input.quietTo)]
    if ((from === null) !== (to === null) || (from !== null && from === to)) fail('BAD_INPUT', { fields: ['quietTo'] })
    const made = { severity: input.severity, waitMinutes: input.waitMinutes, quietFrom: from, quietTo: to }
    const known = await findAlarmRouteTo(tx, input.operatorId, { kind: input.kind, address: input.address })
    const now = deps.clock.now()
    const id = known?.id ?? createId('alw', now.getTime())
    if (known) await updateAlarmRoute(tx, id, made)
    else {
      const secret =
        input.kind === 'webhook' ? seal(deps.secretKey, ALARM_HOOK_PURPOSE, { owner: id, text: `whsec_${randomBytes(32).toString('base64url')}` }) : null
      await insertAlarmRoute(tx, {
        ...made,
        id,
        operatorId: input.operatorId,
        kind: input.kind,
        address: input.address,
        secretSealed: secret,
        madeBy: by.id,
        madeAt: now,
      })
    }
    await tx.audit('alarm.way-set', `operator:${input.operatorId}`, { way: id, kind: input.kind, severity: input.severity, reason })
    return { way: id }
  },
  // A changed route gets its old terms back; a new one is removed by deleting its row
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

const routeInput = z.object({ way: z.string().min(1).max(80) })
const untellCommand = defineCommand({
  name: 'alarm.untell',
  summary: 'Ends a way of alarms; with none left, the owners get mail',
  permission: 'alarms.manage',
  input: routeInput,
  subject: async ({ db }, { way }) => `operator:${((await findAlarmRoute(db, way)) ?? fail('NOT_FOUND')).operatorId}`,
  look: async ({ tx }, { way }) => {
    const row = await findAlarmRoute(tx, way)
    return { told: row !== undefined && row.endedAt === null, kind: row?.kind ?? null }
  },
  run: async ({ tx, deps, reason }, { way }) => {
    if (!(await endAlarmRoute(tx, way, deps.clock.now()))) fail('NOT_FOUND')
    await tx.audit('alarm.way-ended', `way:${way}`, { reason })
    return {}
  },
})

const takeCommand = defineCommand({
  name: 'alarm.take',
  summary: 'Takes an alarm: no more messages about it are sent',
  permission: 'alarms.answer',
  input: z.object({ alarm: z.string().min(1).max(80) }),
  subject: async ({ db }, { alarm }) => `alarm:${((await findAlarm(db, alarm)) ?? fail('NOT_FOUND')).id}`,
  look: async ({ tx }, { alarm }) => {
    const row = await findAlarm(tx, alarm)
    return { open: row !== undefined && row.closedAt === null, takenBy: row?.takenBy ?? null }
  },
  run: async ({ tx, deps, by }, { alarm }) => {
    if (!(await takeAlarm(tx, alarm, { operatorId: by.id, at: deps.clock.now() }))) fail('NOT_FOUND')
    await tx.audit('alarm.taken', `alarm:${alarm}`, {})
    return {}
  },
})

export const alarmCommands = [tellCommand, untellCommand, takeCommand] as const
