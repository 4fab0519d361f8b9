import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** Maximum size of one unpacked file; an archive of several is read for one of them. */
const MAX_BYTES = 500_000_000
const unpack = promisify(inflateRaw)

export interface ZipFile {
  /** Name as raw bytes: Alipay writes names in GBK. */
  readonly name: Buffer
  readonly bytes: Buffer
}

/**
 * Returns the first file of a ZIP archive (APPNOTE 4.3) whose name is accepted, using the central directory at its end. Supports stored and
 * deflated files, no encryption, no ZIP64. Unpacks off the event loop; other files are not unpacked.
 */
export async function readZip(archive: Buffer, isWanted: (name: Buffer) => boolean): Promise<ZipFile | undefined> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || archive.length < end + 22 || archive.readUInt32LE(end) !== END) throw new Error('not a ZIP archive')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('a ZIP archive with a broken list')
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number]
    const name = archive.subarray(at + 46, at + 46 + nameSize)
    if (isWanted(name)) return { name, bytes: await readEntry(archive, at) }
    at += 46 + nameSize + extraSize + commentSize
  }
  return undefined
}

async function readEntry(archive: Buffer, at: number): Promise<Buffer> {
  const [method, packed, size, local] = [
    archive.readUInt16LE(at + 10),
    archive.readUInt32LE(at + 20),
    archive.readUInt32LE(at + 24),
    archive.readUInt32LE(at + 42),
  ] as const
  if (archive.readUInt16LE(at + 8) & 1) throw new Error('an encrypted ZIP archive')
  if (archive.readUInt32LE(local) !== LOCAL || size > MAX_BYTES) throw new Error('a ZIP archive with a broken entry')
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = archive.subarray(start, start + packed)
  if (method === 0) return bytes
  if (method !== 8) throw new Error(`a ZIP archive packed by method ${method}`)
  const plain = await unpack(bytes, { maxOutputLength: Math.max(1, size) })
  if (plain.length !== size) throw new Error('a ZIP archive with a cut entry')
  return plain
}
