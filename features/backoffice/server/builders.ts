import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { generateTotp } from '#platform/server/proof/one-time.ts'
import { seal } from '#platform/server/sealing/seal.ts'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import { hashPassword } from '#features/account/server/door.ts'
import type { OperatorPermission, OperatorRole } from '../permissions.ts'
import { enrolOperator, insertOperator } from './access/data.ts'
import { insertSession, insertToken } from './access/data-sessions.ts'
import { hashOperatorSecret, createOperatorSecret, OPERATOR_TOTP_PURPOSE } from './access/secrets.ts'

export { aDemoOperator } from './demo.ts'

export { generateTotp }

export interface BuiltOperator {
  readonly id: string
  readonly name: string
  readonly mail: string
  readonly password: string
  readonly totpSecret: string
  /** Headers of a session that has just passed step-up authentication. */
  readonly token: string
  readonly sessionId: string
}

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
let hashed: Promise<string> | undefined

/** Creates a signed-in operator; all share one password and one authenticator. */
export async function anOperator(
  deps: Deps,
  roles: readonly OperatorRole[],
  wish: { readonly mail?: string; readonly name?: string } = {},
): Promise<BuiltOperator> {
  const now = deps.clock.now()
  const [id, sessionId, token] = [createId('opr', now.getTime()), createId('ops', now.getTime()), createOperatorSecret('ops')]
  const mail = wish.mail ?? `op-${createRandomCode(8).toLowerCase()}@ops.example`
  const name = wish.name ?? `Operator ${roles.join(' ')}`
  const password = 'a horse of correct battery'
  const passwordHash = await (hashed ??= hashPassword(password))
  await transact(deps.db, SYSTEM, async (tx) => {
    if (!(await insertOperator(tx, { id, name, mail, roles, by: 'test' }))) throw new Error(`${mail} is taken`)
    await enrolOperator(tx, id, { passwordHash, totpSealed: seal(deps.secretKey, OPERATOR_TOTP_PURPOSE, { owner: id, text: SECRET }), counter: 0 })
    await insertSession(tx, {
      id: sessionId,
      hash: hashOperatorSecret(token),
      operatorId: id,
      method: 'totp',
      ip: '127.0.0.1',
      userAgent: 'test',
      createdAt: now,
    })
    await tx.audit('operator.built', `operator:${id}`, { roles })
  })
  return { id, name, mail, password, totpSecret: SECRET, token, sessionId }
}

/** Creates an API token of an operator. */
export async function anOperatorToken(deps: Deps, operatorId: string, permissions: readonly OperatorPermission[]): Promise<{ id: string; token: string }> {
  const now = deps.clock.now()
  const [id, token] = [createId('opt', now.getTime()), createOperatorSecret('opt')]
  await insertToken(deps.db, {
    ...{ id, hash: hashOperatorSecret(token), operatorId, name: 'script', permissions, createdAt: now },
    expiresAt: new Date(now.getTime() + 86_400_000),
  })
  return { id, token }
}
