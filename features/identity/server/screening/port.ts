export interface Screened {
  readonly chineseName: string
  readonly lastName: string
  readonly firstName: string
  readonly birthDate: string
}

/** Whether somebody stands on a list of people whom no card may be opened for. */
export interface Screening {
  readonly isListed: (person: Screened) => Promise<boolean>
}
