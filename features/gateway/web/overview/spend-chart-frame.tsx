import { Skeleton } from '#ui/skeleton.tsx'

/** What stands where the chart comes: while its figures are asked for, and while the chart itself is fetched. */
export function SpendChartFrame() {
  return (
    <div className="card p-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="mt-6 h-[180px] w-full" />
    </div>
  )
}
