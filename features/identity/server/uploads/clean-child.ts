import { serveParser } from '#platform/server/parsing/serve-parser.ts'
import { drawImage } from './draw-image.ts'
import { drawPdf } from './draw-pdf.ts'

// A process of its own: pictures and documents that members upload are decoded nowhere else.
serveParser({
  image: async (file) => {
    const { jpeg, width, height } = await drawImage(file)
    return { head: { width, height }, parts: [jpeg] }
  },
  pdf: async (file) => ({ head: {}, parts: [await drawPdf(file)] }),
})
