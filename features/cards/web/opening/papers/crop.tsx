import { useLayoutEffect, useRef, useState } from 'react'
import type { FieldReading } from '#features/identity/contract-papers.ts'

interface CropProps {
  readonly src: string | undefined
  readonly size: { readonly width: number; readonly height: number }
  readonly box: NonNullable<FieldReading['box']>
  readonly tall?: boolean
}

/** The picture's own pixels around a reading. */
export function PictureCrop({ src, size, box, tall = false }: CropProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(252)
  useLayoutEffect(() => {
    const measure = () => setWidth(frame.current?.clientWidth ?? 252)
    measure()
    const seen = new ResizeObserver(measure)
    if (frame.current) seen.observe(frame.current)
    return () => seen.disconnect()
  }, [])
  const height = tall ? 84 : 44
  // A little air above and below: a line's box is as tight as its flattest characters.
  const [w, h] = [box.w * size.width, box.h * size.height * (tall ? 1.08 : 1.3)]
  const scale = Math.min((width - 8) / w, (height - 6) / h)
  const left = Math.min((width - w * scale) / 2, 10) - box.x * size.width * scale
  const top = (height - box.h * size.height * scale) / 2 - box.y * size.height * scale
  return (
    <div ref={frame} className="relative w-full overflow-hidden rounded-control border border-line bg-sunken" style={{ height }} aria-hidden="true">
      {src ? (
        <img src={src} alt="" draggable={false} className="absolute max-w-none" style={{ width: size.width * scale, left, top }} />
      ) : (
        <div className="skeleton h-full w-full" />
      )}
    </div>
  )
}
