/** The outcome of the push of a change. In the last case the answer is a 202: top up, and it is delivered. */
export type PushOutcome =
  | { pushed: true; pushSkipReason?: undefined; warnings?: undefined }
  | { pushed: false; pushSkipReason: 'unchanged' | 'not_installed'; warnings?: undefined }
  | {
      pushed: false;
      pushSkipReason: 'insufficient_credits';
      warnings: { code: string; message: string }[];
    };

/** One of the properties, and none of the others. */
export type ExactlyOne<All> = {
  [Given in keyof All]: { [Name in Given]: All[Name] } & { [Other in Exclude<keyof All, Given>]?: undefined };
}[keyof All];
