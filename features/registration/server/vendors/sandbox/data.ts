import type { RegistrationTools } from '../port.ts'

type Query = RegistrationTools['query']

export interface SandboxJob {
  readonly ref: string
  readonly key: string
  readonly account: string
  readonly state: 'working' | 'done' | 'failed' | 'cancelled'
  readonly reason: string
  readonly createdAt: Date
}

/** Once for its key, however often it is asked. */
export async function insertJob(query: Query, job: Pick<SandboxJob, 'ref' | 'key' | 'account' | 'state' | 'reason'>): Promise<SandboxJob> {
  await query('insert into registration_sandbox (ref, key, account, state, reason) values ($1,$2,$3,$4,$5) on conflict (key) do nothing', [
    job.ref,
    job.key,
    job.account,
    job.state,
    job.reason,
  ])
  return (await jobByKey(query, job.key))!
}

export async function jobByKey(query: Query, key: string): Promise<SandboxJob | undefined> {
  return (await query<SandboxJob>('select * from registration_sandbox where key = $1', [key]))[0]
}

export async function jobByRef(query: Query, ref: string): Promise<SandboxJob | undefined> {
  return (await query<SandboxJob>('select * from registration_sandbox where ref = $1', [ref]))[0]
}

/** Ends a job only if it is still in progress. */
export async function endJob(query: Query, ref: string, state: SandboxJob['state']): Promise<void> {
  await query(`update registration_sandbox set state = $2 where ref = $1 and state = 'working'`, [ref, state])
}

/** Returns true once per key. */
export async function loseOnce(query: Query, key: string): Promise<boolean> {
  return (await query('update registration_sandbox set lost = true where key = $1 and not lost returning 1 as one', [key])).length > 0
}
