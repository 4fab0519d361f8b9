import type { SeatTools } from '../port.ts'

type Query = SeatTools['query']

export interface SandboxMember {
  readonly ref: string
  readonly key: string
  readonly accountRef: string
  readonly until: Date
  readonly state: 'pending' | 'active' | 'removed'
  readonly token: string
  readonly createdAt: Date
}

/** Once for its key, however often it is asked. */
export async function insertMember(
  query: Query,
  member: Pick<SandboxMember, 'ref' | 'key' | 'accountRef' | 'until' | 'state' | 'token'>,
): Promise<SandboxMember> {
  await query(`insert into flex_sandbox_members (ref, key, account_ref, until, state, token) values ($1,$2,$3,$4,$5,$6) on conflict (key) do nothing`, [
    member.ref,
    member.key,
    member.accountRef,
    member.until,
    member.state,
    member.token,
  ])
  return (await memberByKey(query, member.key))!
}

export async function memberByKey(query: Query, key: string): Promise<SandboxMember | undefined> {
  return (await query<SandboxMember>('select * from flex_sandbox_members where key = $1', [key]))[0]
}

export async function memberByRef(query: Query, ref: string): Promise<SandboxMember | undefined> {
  return (await query<SandboxMember>('select * from flex_sandbox_members where ref = $1', [ref]))[0]
}

export async function memberByToken(query: Query, token: string): Promise<SandboxMember | undefined> {
  return (await query<SandboxMember>('select * from flex_sandbox_members where token = $1', [token]))[0]
}

export async function setMember(query: Query, ref: string, change: { state?: SandboxMember['state']; until?: Date; token?: string }): Promise<void> {
  await query('update flex_sandbox_members set state = coalesce($2, state), until = coalesce($3, until), token = coalesce($4, token) where ref = $1', [
    ref,
    change.state ?? null,
    change.until ?? null,
    change.token ?? null,
  ])
}

/** False: this act was done before. */
export async function claimCall(query: Query, key: string): Promise<boolean> {
  return (await query(`insert into flex_sandbox_calls (key, answer) values ($1, '{}') on conflict (key) do nothing returning 1 as first`, [key])).length > 0
}

/** Messages of the last three hours, oldest first. */
export async function messagesOf(query: Query, ref: string, service: string, since: Date): Promise<Date[]> {
  const rows = await query<{ at: Date }>('select at from flex_sandbox_messages where member_ref = $1 and service = $2 and at > $3 order by at', [
    ref,
    service,
    since,
  ])
  return rows.map(({ at }) => at)
}

export async function insertMessage(query: Query, ref: string, service: string, at: Date): Promise<void> {
  await query('insert into flex_sandbox_messages (member_ref, service, at) values ($1,$2,$3)', [ref, service, at])
}
