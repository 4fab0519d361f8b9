import type { Reading } from '../../contract-papers.ts'
import { UNSAID } from '../../contract-words.ts'
import { openText, sealText } from '../secrets.ts'
import type { FileRow } from '../uploads/data.ts'
import { unread } from './fields.ts'
import { FIELDS } from './read-paper.ts'

const READING = 'identity.reading'

export const sealReading = (key: Buffer, reading: Reading): Buffer => sealText(key, READING, reading.filePath, JSON.stringify(reading))
export const openReading = (key: Buffer, filePath: string, sealed: Buffer): Reading => JSON.parse(openText(key, READING, filePath, sealed)) as Reading

/** Reading of a picture. An unread paper has only unsure fields, so the user must confirm each of them. */
export function readingOf(key: Buffer, { id, purpose, sealed_reading: sealed }: FileRow): Reading | undefined {
  if (sealed) return openReading(key, id, sealed)
  return purpose === 'photo' || purpose === 'evidence' || purpose === UNSAID ? undefined : { filePath: id, purpose, fields: FIELDS[purpose].map(unread) }
}
