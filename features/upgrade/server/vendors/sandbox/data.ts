import type { SupplierTools } from '../port.ts'

type Query = SupplierTools['query']

export interface SandboxOrder {
  readonly key: string
  readonly ref: string
  readonly account: string
  readonly state: 'working' | 'done' | 'failed' | 'expired' | 'captcha' | 'cancelled'
  readonly cause: string
  readonly createdAt: Date
}

/** Once for its key, however often it is asked. */
export async function insertSandboxOrder(query: Query, order: Pick<SandboxOrder, 'key' | 'ref' | 'account' | 'createdAt'>): Promise<SandboxOrder> {
  await query(`insert into upgrade_sandbox (key, ref, account, state, created_at) values ($1,$2,$3,'working',$4) on conflict (key) do nothing`, [
    order.key,
    order.ref,
    order.account,
    order.createdAt,
  ])
  return (await sandboxByKey(query, order.key))!
}

export async function sandboxByKey(query: Query, key: string): Promise<SandboxOrder | undefined> {
  return (await query<SandboxOrder>('select * from upgrade_sandbox where key = $1', [key]))[0]
}

export async function sandboxByRef(query: Query, ref: string): Promise<SandboxOrder | undefined> {
  return (await query<SandboxOrder>('select * from upgrade_sandbox where ref = $1', [ref]))[0]
}

export async function setSandboxState(query: Query, ref: string, state: SandboxOrder['state'], cause = ''): Promise<void> {
  await query('update upgrade_sandbox set state = $2, cause = $3 where ref = $1', [ref, state, cause])
}
