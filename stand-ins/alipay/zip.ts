import { crc32, deflateRawSync } from 'node:zlib'

const header = (size: number, write: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

/** Builds a ZIP archive of a few files, one stored and the others deflated, as Alipay packs its bills. */
export function buildZip(files: readonly { readonly name: Buffer; readonly bytes: Buffer }[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  files.forEach(({ name, bytes }, at) => {
    const stored = at === 0
    const packed = stored ? bytes : deflateRawSync(bytes)
    const common = (target: Buffer, from: number) => {
      target.writeUInt16LE(20, from)
      target.writeUInt16LE(stored ? 0 : 8, from + 4)
      target.writeUInt32LE(crc32(bytes), from + 10)
      target.writeUInt32LE(packed.length, from + 14)
      target.writeUInt32LE(bytes.length, from + 18)
      target.writeUInt16LE(name.length, from + 22)
    }
    const head = header(30, (target) => {
      target.writeUInt32LE(0x04034b50, 0)
      common(target, 4)
    })
    central.push(
      header(46, (target) => {
        target.writeUInt32LE(0x02014b50, 0)
        common(target, 6)
        target.writeUInt32LE(offset, 42)
      }),
      name,
    )
    local.push(head, name, packed)
    offset += head.length + name.length + packed.length
  })
  const list = Buffer.concat(central)
  const end = header(22, (target) => {
    target.writeUInt32LE(0x06054b50, 0)
    target.writeUInt16LE(files.length, 8)
    target.writeUInt16LE(files.length, 10)
    target.writeUInt32LE(list.length, 12)
    target.writeUInt32LE(offset, 16)
  })
  return Buffer.concat([...local, list, end])
}
