/** What the service refuses a request with, as a sentence for the person at the screen. */
export const en = {
  unknown: 'Something went wrong on this page. Reload it and try again.',
  byStatus: { failed: 'Something failed on the side of the service. Try again in a moment.' },
  byCode: {
    connection_failed: 'The service cannot be reached. Check the connection and try again.',
    timed_out: 'The service has not answered in time. Look whether it was done before you try again.',
    unexpected_answer: 'Something other than the service has answered, such as a proxy before it.',
    rate_limited: 'That was too much at once. Wait a moment and try again.',
    overloaded: 'The service is busy. Try again in a moment.',
    role_required: 'Your role does not allow this. Ask an owner of the workspace.',
    invalid_api_key: 'This token is not right.',
    invalid_credentials: 'This password is not right.',
    workspace_suspended: 'This workspace is suspended. Ask the operator of the service.',
    forbidden: 'This belongs to another workspace.',
    invalid_link: 'This link was used, is too old, or is of another account. Have a new one mailed.',
    partner_not_found: 'There is no such partner.',
    pass_not_found: 'There is no such pass.',
    instance_not_found: 'There is no such card.',
    instance_voided: 'This card is void.',
    instance_expired: 'This card has expired. Give it a later end first.',
    insufficient_points: 'The card does not have enough points for that.',
  },
  /**
   * What is wrong with a field: by its name and the rule that it breaks, by the rule and its limit, or by the rule. A
   * sentence with a limit is for limits that are numbers.
   */
  byRule: {
    required: 'This is needed.',
    blank: 'This is needed.',
    'min_length 1': 'This is needed.',
    min_length: (limit: string) => `At least ${limit} characters.`,
    max_length: (limit: string) => `At most ${limit} characters.`,
    min_value: (limit: string) => `At least ${limit}.`,
    max_value: (limit: string) => `At most ${limit}.`,
    more_than: (limit: string) => `More than ${limit}.`,
    less_than: (limit: string) => `Less than ${limit}.`,
    'max_decimals 0': 'Without decimals.',
    max_decimals: (limit: string) => `At most ${limit} decimals.`,
    future: 'This is past.',
    past: 'This is yet to come.',
    max_days_ago: (limit: string) => `At most ${limit} days ago.`,
    pattern: 'This is not in the right form.',
    'format email': 'This is not an e-mail address.',
    'format number': 'This is not a number.',
    'pin pattern': '4 to 8 digits.',
    'format phone':
      'This is not a telephone number: begin it with + and its country, or choose the country of the workspace in its settings.',
    'format decimal': 'An amount such as 12.50.',
  },
};
