import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Error of the server above the button, with a link to the solution if there is one. */
export function FormError({ message, way }: { readonly message: string | undefined; readonly way?: ReactNode }) {
  return (
    <div role="alert" className="empty:-mt-4">
      {message ? (
        <p className="flex items-start gap-2 rounded-control border border-danger px-3 py-2.5 text-14">
          <CircleAlert size={16} strokeWidth={1.75} className="mt-[3px] shrink-0 text-danger" aria-hidden="true" />
          <span className="min-w-0">
            {message} {way}
          </span>
        </p>
      ) : null}
    </div>
  )
}
