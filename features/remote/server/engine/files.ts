import { randomBytes } from 'node:crypto'
import { chownSync, constants, mkdirSync } from 'node:fs'
import { chown, mkdir, open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_CHUNK_BYTES } from '../../wire.ts'

/** Limits of file transfer in a session, uploads and downloads together; 0 files disables it. */
export interface FileLimits {
  readonly files: number
  readonly bytes: number
}

/** Directories for files while a session lasts. This process owns the parent; the browser reads `in` and writes `out`. */
export interface FileFolders {
  /** Uploads in progress; no other user has access. */
  readonly coming: string
  readonly in: string
  readonly out: string
  /** Uid of the browser; undefined if it runs as this process's user. */
  readonly owner: number | undefined
}

export interface FileChunk {
  readonly name: string
  readonly size: number
  readonly at: number
  readonly bytes: Buffer
}

export interface SessionFiles {
  readonly limits: FileLimits
  readonly out: string
  /** Takes one of the files that a session may transfer. Returns false if none is left. */
  take(): boolean
  /** Writes the next piece and resolves to the bytes written so far. Throws if the piece is out of order, too large or over the limit. */
  put(file: string, piece: FileChunk): Promise<number>
  /** Path at which the browser can read a complete upload. */
  given(file: string): string | undefined
  /** Reads a piece of a download. */
  get(guid: string, at: number): Promise<Buffer>
  close(): Promise<void>
}

export class FileRefusal extends Error {
  readonly what: 'tooLarge' | 'tooMany' | 'upload'
  constructor(what: 'tooLarge' | 'tooMany' | 'upload') {
    super(what)
    this.what = what
  }
}

/**
 * Creates the directories in `folder`, which this process owns. If the browser owned the folder, a compromised browser could swap a file
 * while a more privileged process writes it.
 */
export function createFileFolders(folder: string, owner: number | undefined): FileFolders {
  const room = { coming: join(folder, 'coming'), in: join(folder, 'in'), out: join(folder, 'out'), owner }
  for (const path of [room.coming, room.in, room.out]) mkdirSync(path, { mode: 0o700 })
  if (owner !== undefined) for (const path of [room.in, room.out]) chownSync(path, owner, owner)
  return room
}

const MAX_NAME_BYTES = 180

/** Makes a name safe for a file and keeps its extension: removes path separators, invisible characters and text direction marks. */
export function sanitizeFileName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[.\s]+|[.\s]+$/g, '')
  const ending = /\.[^.]{1,12}$/.exec(plain)?.[0] ?? ''
  let stem = plain.slice(0, plain.length - ending.length)
  while (Buffer.byteLength(stem + ending) > MAX_NAME_BYTES) stem = [...stem].slice(0, -1).join('')
  return stem + ending || 'file'
}

interface PendingUpload {
  readonly size: number
  /** Directory, path and open handle, once they exist. */
  readonly opened: Promise<{ readonly folder: string; readonly path: string; readonly handle: FileHandle }>
  /** The pending write; writes run one after another. */
  last: Promise<unknown>
  at: number
}

export function createSessionFiles(room: FileFolders, limits: FileLimits): SessionFiles {
  let left = limits.files
  const coming = new Map<string, PendingUpload>()
  const given = new Map<string, string>()
  const take = () => left > 0 && left-- > 0

  const openOne = async (name: string) => {
    const folder = randomBytes(12).toString('hex')
    await mkdir(join(room.coming, folder), { mode: 0o700 })
    const path = join(folder, sanitizeFileName(name))
    return { folder, path, handle: await open(join(room.coming, path), 'wx', 0o600) }
  }
  const begin = (file: string, { name, size, at }: FileChunk): PendingUpload => {
    if (given.has(file) || at !== 0) throw new FileRefusal('upload')
    if (size > limits.bytes) throw new FileRefusal('tooLarge')
    if (!take()) throw new FileRefusal('tooMany')
    const one: PendingUpload = { size, opened: openOne(name), last: Promise.resolve(), at: 0 }
    coming.set(file, one)
    return one
  }
  /** The browser owns the file from here on. */
  const finish = async (file: string, { opened }: PendingUpload) => {
    const { folder, path, handle } = await opened
    if (room.owner !== undefined) await handle.chown(room.owner, room.owner)
    await handle.close()
    if (room.owner !== undefined) await chown(join(room.coming, folder), room.owner, room.owner)
    await rename(join(room.coming, folder), join(room.in, folder))
    coming.delete(file)
    given.set(file, join(room.in, path))
  }
  const write = async (file: string, one: PendingUpload, { at, bytes }: FileChunk): Promise<number> => {
    if (at !== one.at || at + bytes.length > one.size || given.has(file)) throw new FileRefusal('upload')
    const { handle } = await one.opened
    await handle.write(bytes, 0, bytes.length, at)
    one.at += bytes.length
    if (one.at === one.size) await finish(file, one)
    return one.at
  }

  return {
    limits,
    out: room.out,
    take,
    put: async (file, piece) => {
      const one = coming.get(file) ?? begin(file, piece)
      const written = one.last.then(() => write(file, one, piece))
      one.last = written.catch(() => undefined)
      return written
    },
    given: (file) => given.get(file),
    get: (guid, at) => readChunk(room, join(room.out, guid), at),
    close: async () => {
      for (const { opened } of coming.values()) await opened.then(({ handle }) => handle.close()).catch(() => undefined)
    },
  }
}

/** The browser owns the parent directory, so read only a regular file that it owns, and follow no link. */
async function readChunk({ owner }: FileFolders, path: string, at: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.nlink !== 1 || (owner !== undefined && stat.uid !== owner)) throw new Error('no file of its own')
    const piece = Buffer.alloc(Math.max(0, Math.min(FILE_CHUNK_BYTES, stat.size - at)))
    const { bytesRead } = await handle.read(piece, 0, piece.length, at)
    return piece.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
