interface SparkProps {
  /** Heights only; the last one is today. */
  readonly values: readonly number[]
  /** Describes the same figures for screen readers. */
  readonly label: string
}

const WIDTH = 90
const HEIGHT = 24

/** Thirty days at a glance: bars, today in the brand colour; a dotted line for days without data. */
export function Spark({ values, label }: SparkProps) {
  const top = Math.max(...values, 0)
  const step = WIDTH / Math.max(1, values.length)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label} className="block shrink-0">
      {top === 0 ? (
        <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-control" strokeDasharray="2 3" opacity="0.6" />
      ) : (
        values.map((value, at) => {
          const height = value === 0 ? 1 : Math.max(2, (value / top) * HEIGHT)
          return (
            <rect
              key={at}
              x={at * step}
              width={step - 1}
              y={HEIGHT - height}
              height={height}
              className={at === values.length - 1 ? 'fill-brand' : 'fill-control'}
              opacity={at === values.length - 1 ? 1 : 0.6}
            />
          )
        })
      )}
    </svg>
  )
}
