import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { loadSignUps } from '#features/account/server/door.ts'
import type { SignUp } from '#features/account/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { hasMark, selectSharedMarks, selectStaff } from '#features/risk/server/door.ts'
import { selectRelationContext } from '../data.ts'
import type { RelationRow } from '../data.ts'
import { disposableMails, signalWeights, virtualMobiles } from '../settings.ts'
import { insertSignals } from './data.ts'
import type { RewardRow } from './data.ts'
import { findFraudSignals, judgeFraudSignals } from './signals.ts'
import type { SignUpFacts, FraudFacts } from './signals.ts'

const MAX_OTHERS = 200

export interface Assessment {
  readonly score: number
  readonly verdict: 'allow' | 'hold' | 'refuse'
}

/** Collects all signals against an invitation and stores them. `isLate`: use can be expected by now. */
export async function assessReward(
  deps: Deps,
  tx: Tx,
  { reward, relation, isLate }: { readonly reward: RewardRow; readonly relation: RelationRow; readonly isLate: boolean },
): Promise<Assessment> {
  const { inviterId, createdAt: at } = relation
  const around = await selectRelationContext(tx, { inviteeId: reward.inviteeId, inviterId, earnerId: reward.inviterId, at, limit: MAX_OTHERS })
  const { others: otherIds, brought, paid, tookBack } = around
  const people = new Map((await loadSignUps(tx, [reward.inviteeId, reward.inviterId, ...otherIds])).map((one) => [one.id, one]))
  const beginning = (id: string): SignUpFacts => people.get(id) ?? { ...UNKNOWN_SIGN_UP, createdAt: relation.createdAt }
  const found = findFraudSignals({
    invitee: beginning(reward.inviteeId),
    inviter: beginning(reward.inviterId),
    others: otherIds.flatMap((id) => people.get(id) ?? []),
    inCycle: relation.inCycle || around.inCycle,
    common: await readCommonMarks(tx, reward, otherIds),
    isUnknown: !(await hasMark(tx, reward.inviteeId, ['payer', 'person'])),
    isStaff: (await selectStaff(tx, [reward.inviteeId, reward.inviterId])).length > 0,
    ...{ brought, paid, tookBack },
    paidAt: reward.createdAt,
    hasUsed: isLate ? (await readBalance(tx, reward.inviteeId)).totalSpent > 0n : undefined,
    disposable: await deps.settings.get(disposableMails),
    virtual: await deps.settings.get(virtualMobiles),
  })
  const rules = await deps.settings.get(signalWeights)
  await insertSignals(
    tx,
    reward.id,
    found.map(({ signal, facts }) => ({ signal, weight: rules.weights[signal] ?? 0, facts })),
  )
  return judgeFraudSignals(found, rules)
}

async function readCommonMarks(tx: Tx, { inviteeId, inviterId }: RewardRow, otherIds: readonly string[]): Promise<FraudFacts['common']> {
  const shared = Map.groupBy(await selectSharedMarks(tx, inviteeId, [inviterId, ...otherIds]), ({ kind }) => kind)
  return [...shared].map(([kind, rows]) => {
    const inviter = rows.some(({ subject }) => subject === inviterId)
    return { kind, inviter, others: rows.length - (inviter ? 1 : 0) }
  })
}

const UNKNOWN_SIGN_UP: Omit<SignUp, 'createdAt' | 'id' | 'isActive'> = { email: null, mobile: null, ip: null, userAgent: null }
