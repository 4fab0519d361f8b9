import type { SeededRandom } from '../people/random.ts'
import type { RobotViolation } from '../oracle/violation.ts'
import type { RobotProduct } from '../stage/product.ts'
import { signInOperator } from './operator.ts'
import type { RobotOperator } from './operator.ts'

/** The demo's operators at work: they decide all waiting tasks, mostly with an approval. */
export interface RobotDesk {
  /** Decides all waiting tasks. Returns counts by kind. */
  workThrough(random: SeededRandom): Promise<Readonly<Record<string, number>>>
}

interface DeskWork {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly userId: string | null
  readonly waiting: { readonly no: string } | null
}

const YES_PERCENT = 85

export async function openRobotDesk(product: RobotProduct, report: (violation: RobotViolation) => void): Promise<RobotDesk> {
  const owner = await signInOperator(product, product.demo.owner, { report })
  return createRobotDesk(owner, await signInOperator(product, product.demo.finance, { report }))
}

/** The same with operators who are signed in already, because a code is valid once. */
export function createRobotDesk(owner: RobotOperator, finance: RobotOperator): RobotDesk {
  return {
    workThrough: async (random) => {
      const done: Record<string, number> = {}
      const count = (what: string): void => void (done[what] = (done[what] ?? 0) + 1)
      for (let round = 0; round < 4; round++) {
        const { data } = await owner.get('/operator/work', { limit: '200' })
        const rows = data.rows as DeskWork[]
        for (const row of rows) count(`${row.kind}: ${await decideWork(row, owner, { finance, random })}`)
        if (!(await workQueue(owner, random, count)) && !rows.length) break
      }
      return done
    },
  }
}

/** Handles one task of the work list. Commands that need a second person are requested by finance and approved by the owner. */
async function decideWork(
  { id, kind, title, userId, waiting }: DeskWork,
  owner: RobotOperator,
  { finance, random }: { readonly finance: RobotOperator; readonly random: SeededRandom },
): Promise<string> {
  // refunds and unmatched payments are decided by their order, which is their title
  const subject = kind === 'refund' || kind === 'suspense' ? title : (/^\w+:(.+)$/.exec(id)?.[1] ?? '')
  if (kind === 'approval' || waiting) return (await owner.post('/operator/command/approve', { no: waiting?.no ?? subject, reason: 'fine' })).msg
  const isYes = random.percent(YES_PERCENT)
  const asked = await createCommand(kind, { subject, userId: userId ?? '', isYes }, { finance, owner })
  if (!asked) return 'left'
  if (asked.state === 'waiting' && asked.no) return (await owner.post('/operator/command/approve', { no: asked.no, reason: 'fine' })).msg
  return asked.state
}

interface WorkSubject {
  readonly subject: string
  readonly userId: string
  readonly isYes: boolean
}

function createCommand(
  kind: string,
  { subject, userId, isYes }: WorkSubject,
  { finance, owner }: { readonly finance: RobotOperator; readonly owner: RobotOperator },
): ReturnType<RobotOperator['command']> | undefined {
  if (kind === 'withdrawal') return finance.command(isYes ? 'withdrawal.approve' : 'withdrawal.reject', { withdrawalNo: subject })
  if (kind === 'refund') return finance.command(isYes ? 'order.approve' : 'order.reject', { orderNo: subject })
  if (kind === 'suspense') return finance.command('order.refund', { orderNo: subject })
  if (kind === 'identity') return owner.command(isYes ? 'identity.approve' : 'identity.reject', { user: userId || subject })
  if (kind === 'review') return owner.command(isYes ? 'reward.release' : 'reward.refuse', { user: userId || subject })
  if (kind === 'invoice')
    return finance.command(isYes ? 'invoice.issue' : 'invoice.refuse', { requestNo: subject, ...(isYes ? {} : { cause: 'unclear', answer: '' }) })
  if (kind === 'complaint') return finance.command('complaint.answer', { complaintId: subject, text: '已处理，谢谢。' })
  if (kind === 'conversation') return finance.command('conversation.answer', { conversationId: subject, text: '已处理，谢谢。' })
  if (kind === 'fault') return finance.command('fault.decide', { faultId: subject, verdict: isYes ? 'approved' : 'dismissed' })
  return undefined
}

/** Handles service orders that wait for an operator: claimed, then completed or failed with a cause. Returns their number. */
async function workQueue(owner: RobotOperator, random: SeededRandom, count: (what: string) => void): Promise<number> {
  const { data } = await owner.get('/operator/services/queue', { limit: '200' })
  const rows = (data?.rows ?? []) as { id: string; service: string }[]
  for (const { id, service } of rows) {
    const taken = await owner.command('service.take', { id })
    const { data: task } = await owner.get('/operator/services/task', { id })
    if (!task?.ends?.length) continue
    const isGood = random.percent(YES_PERCENT)
    const end = (task.ends as { state: string; isGood: boolean }[]).find((one) => one.isGood === isGood) ?? task.ends[0]
    const facts = end.isGood ? Object.fromEntries((task.needs as string[]).map((name) => [name, `done ${name}`])) : {}
    const cause = end.isGood ? '' : (random.pick(task.causes as { cause: string }[]).cause as string)
    const ended = await owner.command('service.finish', { id, state: end.state, cause, facts })
    count(`${service}: ${taken.state} ${end.state} ${ended.state}`)
  }
  return rows.length
}
