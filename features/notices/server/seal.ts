import { seal as sealFor, unseal as unsealFor } from '#platform/server/seal.ts'

const PURPOSE = 'notices.mail'

/** What a mail or SMS says, bound to its row. */
export const seal = (secretKey: Buffer, id: string, text: string): Buffer => sealFor(secretKey, PURPOSE, id, text)
export const unseal = (secretKey: Buffer, id: string, sealed: Buffer): string => unsealFor(secretKey, PURPOSE, id, sealed)
