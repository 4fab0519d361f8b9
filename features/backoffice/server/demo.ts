import type { Deps, SandboxPanel } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createTotpSecret, generateTotp } from '#platform/server/proof/one-time.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import { createId } from '#platform/shared/ids.ts'
import { hashPassword } from '#features/account/server/door.ts'
import type { OperatorRole } from '../permissions.ts'
import { enrolOperator, insertOperator, listOperatorsCreatedBy } from './access/data.ts'
import { OPERATOR_TOTP_PURPOSE } from './access/secrets.ts'

/** `made_by` of demo operators; no real inviter has this name. */
const DEMO = 'demo'

/** Creates a demo operator who can sign in; /sandbox shows the codes. False if the operator already exists. */
export async function aDemoOperator(deps: Deps, wish: { name: string; mail: string; password: string; roles: readonly OperatorRole[] }): Promise<boolean> {
  const id = createId('opr', deps.clock.now().getTime())
  const passwordHash = await hashPassword(wish.password)
  return transact(deps.db, SYSTEM, async (tx) => {
    if (!(await insertOperator(tx, { id, name: wish.name, mail: wish.mail, roles: wish.roles, by: DEMO }))) return false
    await enrolOperator(tx, id, { passwordHash, totpSealed: seal(deps.secretKey, OPERATOR_TOTP_PURPOSE, { owner: id, text: createTotpSecret() }), counter: 0 })
    await tx.audit('operator.joined', `operator:${id}`, { by: DEMO })
    return true
  })
}

/** Sandbox panel: the demo operators with their current TOTP codes. */
export async function buildDemoPanel({ db, clock, secretKeys, config }: Deps): Promise<SandboxPanel> {
  const rows = config.STAGE === 'development' ? await listOperatorsCreatedBy(db, DEMO) : []
  return {
    title: '运营人员 Operators',
    about: '演示用的运营人员和此刻的验证码，每 30 秒换一次，每个只能用一次。 Operators of the demo, with the one-time code of this moment; each is good once.',
    order: 5,
    columns: ['姓名 Name', '邮箱 E-mail', '角色 Roles', '验证码 Code'],
    rows: rows.flatMap(({ id, name, mail, roles, totpSealed: sealed }) =>
      sealed ? [[name, mail, roles.join(', '), generateTotp(unseal(secretKeys, OPERATOR_TOTP_PURPOSE, { owner: id, sealed }), clock.now())]] : [],
    ),
  }
}
