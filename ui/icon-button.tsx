import type { ComponentProps } from 'react'
import { Tooltip } from './layers/tooltip.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  readonly label: string
}

/** Icon only, so the label is both its name and its tooltip. */
export function IconButton({ label, className = '', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type="button" {...rest} aria-label={label} className={`icon-btn ${className}`} />
    </Tooltip>
  )
}
