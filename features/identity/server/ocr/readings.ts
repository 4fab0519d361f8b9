import type { Reading } from '../../contract-papers.ts'
import { openText, sealText } from '../secrets.ts'

const READING = 'identity.reading'

export const sealReading = (key: Buffer, reading: Reading): Buffer => sealText(key, READING, reading.filePath, JSON.stringify(reading))
export const openReading = (key: Buffer, filePath: string, sealed: Buffer): Reading => JSON.parse(openText(key, READING, filePath, sealed)) as Reading
