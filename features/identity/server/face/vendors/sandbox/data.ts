import type { SupplierTools } from '../port.ts'
import type { Lang } from '#platform/shared/languages.ts'

export interface Face {
  readonly ref: string
  /** Shortened: the book never learns who it is. */
  readonly name: string
  readonly lang: Lang
  readonly returnUrl: string
  readonly state: 'open' | 'passed' | 'failed' | 'other'
  readonly expiresAt: Date
}
type Query = SupplierTools['query']

export async function insertFace(query: Query, face: Omit<Face, 'state'>, now: Date): Promise<void> {
  await query('insert into identity_sandbox_faces (ref, name, lang, return_url, expires_at, created_at) values ($1,$2,$3,$4,$5,$6)', [
    face.ref,
    face.name,
    face.lang,
    face.returnUrl,
    face.expiresAt,
    now,
  ])
}

export async function faceByRef(query: Query, ref: string): Promise<Face | undefined> {
  return (await query<Face>('select * from identity_sandbox_faces where ref = $1', [ref]))[0]
}

export async function endFace(query: Query, ref: string, state: Face['state']): Promise<void> {
  await query(`update identity_sandbox_faces set state = $2 where ref = $1 and state = 'open'`, [ref, state])
}
