import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const count = z.number().int().min(1).max(1000)

export const minimumAge = setting('identity.minimumAge', z.number().int().min(16).max(30), { fallback: 18, about: 'Years that the holder of a card must have' })
export const methodsOffered = setting('identity.methods', z.array(z.enum(['face', 'deposit'])).min(1), {
  fallback: ['face', 'deposit'],
  about: 'Ways to prove who one is that are offered: the face check, a deposit in its place',
})
export const facesPerDay = setting('identity.facesPerDay', count, { fallback: 5, about: 'Face checks of one user in 24 hours' })
export const savesPerDay = setting('identity.savesPerDay', count, { fallback: 10, about: 'How often one user may submit identity data in 24 hours' })
export const faceMinutes = setting('identity.faceMinutes', z.number().int().min(5).max(120), { fallback: 30, about: 'Minutes that a face check stays open' })
export const photoDays = setting('identity.photoDays', z.number().int().min(1).max(3650), {
  fallback: 30,
  about: 'Days after which the pictures of papers are deleted',
})
export const uploadsPerDay = setting('identity.uploadsPerDay', count, { fallback: 40, about: 'Pictures that one user may upload in 24 hours' })
export const readsPerFile = setting('identity.readsPerFile', z.number().int().min(1).max(50), { fallback: 5, about: 'How often one picture may be read' })
export const sanctions = setting<readonly { readonly name: string; readonly birthDate?: string | undefined }[]>(
  'identity.sanctions',
  z.array(z.object({ name: z.string().min(2).max(80), birthDate: z.iso.date().optional() })).max(50_000),
  { fallback: [], about: 'People whom no card is opened for: names as on papers, Chinese or Latin, with the birthday where it is known' },
)

export const identitySettings = [minimumAge, methodsOffered, facesPerDay, savesPerDay, faceMinutes, photoDays, uploadsPerDay, readsPerFile, sanctions]
