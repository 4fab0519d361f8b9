import { createHmac, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { UploadStore, StoreTools, StoreVendor } from '../port.ts'

const NAME = /^paper_[0-9A-Z]{26}$/

/** Store in a folder of this machine, with the quarantine and the encrypted files apart. For one machine, or a shared disk. */
export const localVendor: StoreVendor = {
  name: 'local',
  own: true,
  env: {
    /** Folder for pictures of papers; `identity` in DATA_DIR by default. Several machines need a shared one, or S3. */
    IDENTITY_FOLDER: z.string().optional(),
  },
  connect: (config) => createLocalStore(resolve(String(config['IDENTITY_FOLDER'] ?? join(String(config['DATA_DIR']), 'identity')))),
}

export function createLocalStore(folder: string): UploadStore {
  const at = (room: 'quarantine' | 'sealed', id: string) => {
    if (!NAME.test(id)) throw new Error('not a name of ours')
    return join(folder, room, id)
  }
  const read = async (path: string, most: number): Promise<Buffer | undefined> => {
    const size = await stat(path).then(
      (it) => it.size,
      () => undefined,
    )
    return size === undefined || size > most ? undefined : readFile(path)
  }
  const write = async (path: string, bytes: Buffer): Promise<void> => {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    // atomic: a reader never sees a partial file
    await writeFile(`${path}.part`, bytes, { mode: 0o600 })
    await rename(`${path}.part`, path)
  }
  const drop = (path: string) => rm(path, { force: true })
  return {
    origins: [],
    allow: (tools, { id, type = '', least, most, expiresAt }) => {
      const until = String(Math.floor(expiresAt.getTime() / 1000))
      const bytes = `${least}-${most}`
      return { url: '/identity/upload', fields: { key: id, type, bytes, until, sign: sign(tools, [id, type, bytes, until]) } }
    },
    receive: async (tools, { key = '', type = '', bytes = '', until = '', sign: given = '' }, file) => {
      const right = Buffer.from(sign(tools, [key, type, bytes, until]))
      const sent = Buffer.from(given)
      if (right.length !== sent.length || !timingSafeEqual(right, sent) || !NAME.test(key)) return 'refused'
      const [least = 0, most = 0] = bytes.split('-').map(Number)
      if (Number(until) * 1000 < tools.now().getTime() || file.length < least || file.length > most) return 'refused'
      await write(at('quarantine', key), file)
      return 'kept'
    },
    takeOut: (_tools, id, most) => read(at('quarantine', id), most),
    dropUpload: (_tools, id) => drop(at('quarantine', id)),
    put: (_tools, id, sealed) => write(at('sealed', id), sealed),
    get: (_tools, id) => read(at('sealed', id), Number.MAX_SAFE_INTEGER),
    drop: (_tools, id) => drop(at('sealed', id)),
  }
}

const sign = (tools: StoreTools, fields: readonly string[]) => createHmac('sha256', tools.secret('upload')).update(fields.join('\n')).digest('base64url')
