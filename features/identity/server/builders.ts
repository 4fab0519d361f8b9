import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import type { IdentityMethod, UploadPurpose } from '../contract-words.ts'
import { ensurePerson, claimNumber, updatePerson } from './data.ts'
import { sealPerson, readDataKey, createSealedKey, digestIdentityNumber, sealIdentityBytes } from './person.ts'
import type { IdentityPerson } from './person.ts'
import { insertFile, markFileStored } from './uploads/data.ts'
import { getUploadStore, createStoreTools } from './uploads/vendors/index.ts'
import { computeKeyId } from '#platform/server/sealing/seal.ts'

let born = 0
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** A valid, unused identity number; each call returns another one. */
export function anIdentityNumber(birthday = '19910228'): string {
  const base = `440305${birthday}${String(((++born * 2) % 998) + 1).padStart(3, '0')}`
  const total = [...base].reduce((sum, digit, at) => sum + Number(digit) * WEIGHTS[at]!, 0)
  return base + '10X98765432'[total % 11]
}

/** A holder's data as typed into the form. */
export function aHolderForm(wish: Partial<IdentityPerson> = {}): IdentityPerson {
  const number = wish.number ?? anIdentityNumber()
  return {
    paper: 'idcard',
    chineseName: '欧阳修文',
    lastName: 'OUYANG',
    firstName: 'XIUWEN',
    number,
    birthDate: `${number.slice(6, 10)}-${number.slice(10, 12)}-${number.slice(12, 14)}`,
    validUntil: '2036-03-09',
    issuer: '深圳市公安局南山分局',
    province: '广东省',
    city: '深圳市',
    county: '南山区',
    street: '粤海街道麻岭一巷7号深南花园裙楼B座1204',
    postalCode: '518057',
    email: '',
    ...wish,
  }
}

/** A user at the payment step: with a passed face check, or with the deposit. Uploads nothing. */
export async function aReadyHolder(
  deps: Deps,
  userId: string,
  { method = 'face', holder = aHolderForm() }: { method?: IdentityMethod; holder?: IdentityPerson } = {},
): Promise<IdentityPerson> {
  const now = deps.clock.now()
  await transact(deps.db, SYSTEM, async (tx) => {
    await ensurePerson(tx, userId, { sealedKey: createSealedKey(deps, userId), now })
    const key = (await readDataKey(deps, tx, userId))!
    await claimNumber(tx, userId, { digests: digestIdentityNumber(deps, holder.paper, holder.number), keyId: computeKeyId(deps.secretKey) })
    const passed = method === 'face' ? { status: 'passed', facePassedAt: now } : { status: 'saved' }
    const saved = { method, paper: holder.paper, sealedPerson: sealPerson(key, userId, holder), savedAt: now }
    await updatePerson(tx, userId, { now, values: { noticeReadAt: now, taxpayer: false, taxpayerAt: now, ...saved, ...passed } })
    await tx.audit('identity.built', `user:${userId}`)
  })
  return holder
}

/** A stored picture of a user, as after an upload. */
export async function aStoredPicture(
  deps: Deps,
  userId: string,
  { purpose, jpeg, size }: { readonly purpose: UploadPurpose; readonly jpeg: Buffer; readonly size: { width: number; height: number } },
): Promise<string> {
  const now = deps.clock.now()
  const id = createId('paper', now.getTime())
  const key = await transact(deps.db, SYSTEM, async (tx) => {
    await ensurePerson(tx, userId, { sealedKey: createSealedKey(deps, userId), now })
    await tx.audit('identity.person-built', `user:${userId}`)
    return (await readDataKey(deps, tx, userId))!
  })
  await getUploadStore(deps).put(createStoreTools(deps), id, sealIdentityBytes(key, id, jpeg))
  await transact(deps.db, SYSTEM, async (tx) => {
    await insertFile(tx, { id, userId, purpose, type: 'image/jpeg', bytes: jpeg.length, now, expiresAt: now })
    await markFileStored(tx, id, { size, now })
    await tx.audit('identity.picture-built', `user:${userId}`)
  })
  return id
}
