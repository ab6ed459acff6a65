import { authentication } from './authentication.ts';
import { commonRules, endpoints } from './endpoints.ts';
import { errorBody, skippedDelivery } from './error-body.ts';
import { errorsInGeneral, errorsOfAccess } from './errors-access.ts';
import { errorsOfLoyalty } from './errors-loyalty.ts';
import { errorsOfPasses } from './errors-passes.ts';
import { errorsOfImages, imageReasons } from './image-urls.ts';
import { limits } from './limits.ts';
import { resources, service } from './resources.ts';
import { retryRules } from './retry-rules.ts';
import type { Part } from './sentence.ts';
import { states } from './states.ts';
import { versioning } from './versioning.ts';

/** The contract, part by part; its part 6 says nothing that could be shown. */
export const contents: readonly Part[] = [
  service,
  resources,
  errorBody,
  skippedDelivery,
  states,
  endpoints,
  commonRules,
  authentication,
  errorsInGeneral,
  errorsOfAccess,
  errorsOfPasses,
  errorsOfLoyalty,
  errorsOfImages,
  imageReasons,
  retryRules,
  limits,
  versioning,
];
