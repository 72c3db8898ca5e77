/** Skills with confusable neighbours, five in each family: name, description, when not, and two requests for it. */
const SKILLS = `
csv-total | Totals the numbers in a column of a CSV file. Use to sum amounts of a spreadsheet export. | grouping by a category | sum the amount column of this csv file | what do the amounts in the exported spreadsheet add up to
csv-group | Groups the rows of a CSV by a category column and sums each group. Use for subtotals and pivot tables. | one grand total | give me subtotals per region from the csv | pivot this sheet by department
csv-join | Joins two CSV files on a common key column, like a lookup between tables. | stacking files with equal columns | merge customers.csv with orders.csv on customer id | look up each order's customer in the other table
csv-dedupe | Removes duplicate rows from a CSV, keeping the first. | duplicate lines of plain text | drop the repeated rows of this csv | remove duplicate records from the table
csv-to-json | Converts a CSV table to a list of JSON objects, with the header as keys. | JSON to CSV | turn the csv into json objects | convert this comma separated table into JSON
json-repair | Repairs broken JSON: missing quotes, trailing commas, cut-off brackets. | valid JSON that needs formatting | fix this malformed json from the model | the JSON has a trailing comma and does not parse
json-format | Pretty prints JSON with indentation, or minifies it. | broken JSON | pretty print this json | minify the JSON document
json-diff | Compares two JSON documents and lists changed, added and removed paths. | plain text | what changed between these two json configs | list the paths that differ in both JSON documents
json-path | Extracts values from JSON by a path expression such as items[0].price. | comparing documents | get the price of the first item from the json | extract all email fields out of this JSON
json-schema | Infers a JSON Schema from example documents. | validating against an existing schema | derive a schema from these json samples | write the JSON Schema that these example documents match
date-diff | Counts days, weeks or months between two dates. | adding days to a date | how many days between 3 May and 9 June | number of weeks from the start date to the deadline
date-add | Adds or subtracts days, weeks or months to a date, with month ends handled. | the distance between dates | what date is 45 days after 2026-01-15 | subtract three months from the invoice date
date-parse | Parses dates in many formats to ISO 8601. | time zones | normalise these dates to iso format | convert 03/04/26 and "5th of May" to ISO dates
business-days | Counts working days between dates, without weekends and public holidays. | calendar days | working days until the end of the quarter | how many business days did the ticket take without weekends
time-zone | Converts a time from one time zone to another, with daylight saving. | formats of dates | what is 9 am Berlin in Tokyo time | convert the meeting from PST to CET
unit-length | Converts lengths: metres, feet, inches, miles, kilometres. | weights or temperatures | convert 12 feet to metres | how many kilometres are 26 miles
unit-weight | Converts weights: kilograms, pounds, ounces, grams. | lengths or volumes | 150 pounds in kilograms | convert ounces to grams for this recipe
unit-temperature | Converts temperatures: Celsius, Fahrenheit, Kelvin. | other units | what is 72 fahrenheit in celsius | convert 300 kelvin to degrees Celsius
unit-volume | Converts volumes: litres, gallons, cups, millilitres. | weights | how many litres is 5 gallons | convert two cups to millilitres
unit-data | Converts data sizes: bytes, kilobytes, mebibytes, gigabytes. | transfer speeds | convert 1500 megabytes to gibibytes | how many bytes is 2 GB
text-diff | Shows a line diff between two versions of a text. | JSON documents | show the differences between these two drafts line by line | diff the old and new version of the text
text-wrap | Wraps long lines of text at a column width. | truncating | wrap this paragraph at 80 columns | break the long lines of the message at 72 characters
text-slug | Makes a URL slug from a title: lowercase words with hyphens. | encoding a URL | make a slug of this blog title | url friendly version of the headline with hyphens
text-case | Changes identifiers between camelCase, snake_case, kebab-case and PascalCase. | titles of articles | rename these variables to snake_case | turn the camelCase identifiers into kebab-case
text-redact | Masks email addresses, phone numbers and card numbers in text. | extracting them | mask the phone numbers in this transcript | hide email addresses and card numbers in the log
extract-emails | Extracts all email addresses from a text. | masking them | list every email address in this page | pull the email addresses out of the document
extract-urls | Extracts all links and URLs from a text or HTML. | checking if links work | find all links in the article | list the urls that the text mentions
extract-phones | Extracts phone numbers from a text and formats them as E.164. | masking them | find phone numbers and normalise them to E.164 | which telephone numbers are in this letter
extract-dates | Finds all dates that a text mentions, with their position. | converting one known date | which dates does this contract mention | find every date in the text
extract-amounts | Finds money amounts with currency in a text. | totals of tables | list all prices and currencies in the email | find the money amounts in this contract
stats-mean | Computes mean, median and mode of a list of numbers. | spread or percentiles | average and median of these values | what is the mean of the measurements
stats-spread | Computes variance, standard deviation and range of numbers. | averages | standard deviation of this sample | how much do the values vary: variance and range
stats-percentile | Computes percentiles and quartiles of numbers, such as p95 latency. | averages | p95 and p99 of these latencies | the 90th percentile and the quartiles of response times
stats-correlation | Computes the correlation between two series (Pearson, Spearman). | one series | is there a correlation between price and demand | Pearson correlation of the two columns
stats-regression | Fits a straight line to points by least squares: slope, intercept, R squared. | correlation alone | fit a linear trend through these points | slope and intercept of the least squares line
markdown-table | Renders rows as a Markdown table with aligned columns. | HTML tables | make a markdown table of these results | format the rows as a table for the README in Markdown
markdown-toc | Builds a table of contents from the headings of a Markdown document. | tables of data | add a table of contents to this readme | list the headings of the Markdown page with anchors
markdown-to-html | Renders Markdown as HTML. | HTML to Markdown | render this markdown as html | convert the Markdown post to a web page
html-to-text | Strips tags from HTML and returns readable text. | extracting links only | get the plain text of this html page | remove the HTML tags from the email body
html-table | Extracts the tables of an HTML page as rows. | rendering tables | scrape the table out of this html | get the rows of the first table on the HTML page
url-parse | Splits a URL into host, path, query parameters and fragment. | encoding values | what are the query parameters of this url | split the address into host and path
url-encode | Percent-encodes or decodes text for URLs. | splitting a URL | percent-encode this search term | decode %20 and %2F in the query string
base64 | Encodes and decodes Base64 text. | URLs | decode this base64 string | encode the file content as Base64
hash-text | Computes SHA-256 or MD5 checksums of a text. | encoding | sha256 checksum of this text | MD5 digest of the message
uuid-make | Generates random UUIDs (version 4). | checksums | generate ten uuids | I need new random UUIDs for the rows
currency-convert | Converts an amount between currencies with given exchange rates. | finding amounts in text | convert 200 EUR to USD at 1.08 | how much is the invoice in pounds at this exchange rate
interest-compound | Computes compound interest and final balance of savings. | loan payments | what will 1000 be worth in 10 years at 4 percent | compound interest on my savings
loan-payment | Computes the monthly payment and schedule of a loan or mortgage. | savings | monthly payment of a 20 year mortgage | amortisation schedule of the loan
vat-split | Splits a gross amount into net and VAT, or adds VAT to a net amount. | currencies | net amount and 19 % vat of this gross price | add VAT to the net price
invoice-check | Checks that lines, VAT and total of an invoice add up. | splitting one amount | does this invoice add up | verify the invoice lines against its total
iban-check | Validates an IBAN by its checksum and country length. | card numbers | is this iban valid | check the bank account number's IBAN checksum
card-check | Validates a credit card number by the Luhn checksum and names its brand. | bank accounts | is this credit card number valid | Luhn check of the card
isbn-check | Validates ISBN-10 and ISBN-13 numbers of books. | product barcodes | check this isbn | is the book's ISBN-13 correct
ean-check | Validates EAN and UPC barcodes of products. | books | validate the product barcode | is this EAN-13 check digit right
email-check | Checks the syntax of an email address and suggests corrections of mistyped domains. | extracting from text | is this a valid email address syntax | did the user mistype the email domain
sql-format | Formats SQL queries with line breaks and upper-case keywords. | running queries | format this sql query | make the SELECT statement readable with upper-case keywords
sql-explain | Explains in words what a SQL query does. | formatting | what does this sql statement do | explain the query with the two joins
sql-params | Replaces literals of a SQL query by parameters, against injection. | formatting | parameterise this sql query | make the query safe against injection with placeholders
sql-ddl | Writes CREATE TABLE statements from sample rows or a schema. | queries | write the create table for this data | derive the table definition from sample rows
sql-merge | Writes an upsert or MERGE statement for rows with a key. | creating tables | write an upsert for these records | MERGE statement that updates existing rows
regex-explain | Explains a regular expression piece by piece. | writing one | explain this regular expression | what does the regex ^\\d+$ match
regex-make | Writes a regular expression that matches given examples. | explaining one | write a regex that matches these order numbers | regular expression for these example strings
cron-explain | Explains a cron expression and lists its next runs. | writing one | when does 0 9 * * 1 run next | explain this crontab line
cron-make | Writes a cron expression for a schedule in words. | explaining one | cron expression for every weekday at 6 | crontab for the first Monday of each month
glob-match | Tests which paths match a glob pattern such as src/**/*.ts. | regular expressions | which files match src/**/*.test.ts | does the glob pattern cover this path
log-levels | Counts log lines per level: error, warning, info. | stack traces | how many errors and warnings are in this log | count the log lines of each level
log-slow | Finds the slowest requests in an access log. | errors | which requests in the access log are slowest | top ten slow endpoints of the log
log-errors | Groups error messages of a log by their template. | slow requests | group the errors of this log | which error messages repeat in the log file
stack-trace | Parses a stack trace to file, line and function of each frame. | counting log lines | parse this stack trace | which file and line does the traceback point to
log-sessions | Splits a log into user sessions by idle time. | requests | split the log into sessions with 30 minutes idle | how many user sessions does the log contain
semver-compare | Compares semantic versions and sorts them. | writing release notes | which version is newer, 1.10.0 or 1.9.3 | sort these semantic versions
semver-range | Tests which versions satisfy a range such as ^1.2 or >=2 <3. | sorting | does 1.4.2 satisfy ^1.2 | versions that fit the range >=2 <3
changelog-make | Writes release notes from commit messages, grouped by type. | comparing versions | write release notes from these commits | changelog of the last release out of the git log
license-detect | Detects the open source licence of a text, such as MIT or Apache-2.0. | dependencies | which license is this file | is this an MIT or Apache licence text
deps-outdated | Lists dependencies of a package.json with newer major versions. | licences | which dependencies of package.json are outdated | list packages with newer major versions
color-convert | Converts colours between hex, RGB and HSL. | contrast | convert #ff8800 to rgb | hsl value of this hex colour
color-contrast | Computes the WCAG contrast ratio of two colours. | converting formats | is this text colour readable on grey by wcag | contrast ratio of white on #0077cc
color-palette | Generates a palette of tints and shades from one base colour. | contrast | generate a palette from our brand blue | tints and shades of this base colour
image-size | Reads width and height from the header of PNG, JPEG or GIF data. | colours | width and height of this png | what are the dimensions of the JPEG image
svg-minify | Removes comments and whitespace from an SVG and shortens its paths. | images of pixels | shrink this svg | minify the SVG icon
geo-distance | Computes the distance between two points of latitude and longitude. | directions | distance between Paris and Rome by coordinates | how far apart are these two latitude longitude points
geo-bearing | Computes the compass bearing from one coordinate to another. | distance | compass bearing from A to B | which direction is the second coordinate from the first
geo-box | Computes the bounding box and centre of a list of coordinates. | two points | bounding box of these coordinates | centre of all the stations' coordinates
geo-encode | Encodes coordinates as a geohash or plus code, and decodes them. | addresses | geohash of 48.85, 2.35 | decode this plus code to coordinates
address-parse | Splits a postal address into street, number, postcode, city and country. | coordinates | split this postal address into fields | street and postcode out of the address line
name-split | Splits a person's full name into title, given and family names. | user names | split full names into first and last | given name and surname of each person in the list
name-match | Finds records of the same person despite spelling differences. | splitting names | match these customer names despite typos | find people who are the same with different spellings
language-detect | Detects the language of a text. | translating | which language is this text | detect the language of each comment
readability | Scores how easy a text is to read (Flesch, grade level). | grammar | how readable is this text | Flesch score and grade level of the article
word-count | Counts words, sentences and characters of a text. | readability | count the words of this essay | how many characters and sentences does the text have
keyword-extract | Extracts the most important keywords of a text. | summaries | keywords of this article | the most important terms of the document
text-similarity | Scores how similar two texts are, from 0 to 1. | line diffs | how similar are these two texts | similarity score of both paragraphs
sentiment | Scores the sentiment of a review as positive, neutral or negative. | topics | is this review positive or negative | sentiment of the customer feedback
summary-extract | Summarises a text by its most important sentences. | keywords | summarise this report in three sentences | short summary of the long article
spell-check | Finds misspelled English words and suggests corrections. | grammar | find spelling mistakes in this letter | which words are misspelled
ics-make | Writes a calendar file (ICS) for an event. | time zones | make an ics calendar file for the meeting | calendar invite file for the event
vcard-make | Writes a vCard file for a contact. | calendar events | create a vcard for this contact | contact card file with name and phone
qr-payload | Builds the text of a QR code for Wi-Fi, contacts or payments. | barcodes of products | qr code text for our wifi | payload of a QR code for a payment
password-strength | Estimates the strength of a password in bits of entropy. | making passwords | how strong is this password | entropy of the password in bits
rota-plan | Assigns people to shifts fairly, with days off respected. | working days | make a shift plan for the team next week | assign people to on-call shifts fairly
`;

/** Further requests, with the skill that each needs. */
const REQUESTS = `
csv-total | add up the prices column of the attached spreadsheet
csv-join | combine the two tables by their order number
csv-dedupe | there are duplicate customers in the csv, keep one of each
json-repair | the model's JSON is cut off, repair it
json-diff | compare both JSON responses and show what was added
json-path | read the value at data.users[3].name of this JSON
date-diff | how many weeks are between these two dates
date-add | which date is two months after the contract date
business-days | count the business days in March without holidays
time-zone | 3 pm in New York is what time in Berlin
unit-length | how many feet are 3 kilometres
unit-temperature | 20 degrees celsius in fahrenheit
text-diff | diff these two versions of the terms
text-slug | slug for the title of this post
text-case | convert my_variable_name to camelCase
text-redact | mask emails and phone numbers before I share this
extract-urls | extract the links from this newsletter html
extract-dates | find all dates in the minutes of the meeting
stats-mean | median of these salaries
stats-percentile | what is the p99 latency of these numbers
stats-correlation | do temperature and sales correlate
markdown-table | render this list as a markdown table
html-to-text | strip the html tags and keep the text
url-parse | get the query parameters from this link
base64 | encode this text in base64
hash-text | compute the sha256 hash of the string
currency-convert | how many dollars are 80 euros at the rate 1.1
loan-payment | monthly payment for a loan of 20000 over 5 years
iban-check | validate this IBAN
regex-explain | what does this regular expression match
cron-make | cron for every day at midnight
log-levels | number of error lines in the log
stack-trace | which function is at the top of this stack trace
semver-range | is version 2.3.1 allowed by the range ~2.3
color-contrast | contrast ratio between #333 and #fff
geo-distance | distance in km between two coordinates
name-split | split the full names into first name and last name
language-detect | what language is this comment written in
word-count | how many words are in my abstract
password-strength | is this password strong enough
`;

/** Tasks that no skill fits. */
const UNRELATED = `
write a poem about spring
plan a birthday party for my daughter
what is the capital of Mongolia
refactor the login component of our app
play some jazz
who won the world cup in 1998
draft an apology to my neighbour
recommend a good novel for the beach
why is the sky blue
deploy the backend to staging
review my pull request
book a flight to Lisbon
explain quantum entanglement
teach me to juggle
what should I cook tonight
turn on the lights in the kitchen
open the garage door
translate good morning into French
tell me a joke
restart the kubernetes pod
how do I train for a marathon
write a cover letter for a nurse
design a logo for a bakery
what does my dream mean
order more coffee beans
fix the failing unit test in the parser
order pizza with mushrooms
who painted the Mona Lisa
set an alarm
how do vaccines work
compose a melody in D minor
suggest a name for my cat
what happened in the French revolution
update the firmware of the router
call my mother
water the plants in the office
how can I sleep better
write unit tests for the payment service
describe the taste of durian
migrate the service to Rust
give me advice for a job interview
what is love
paint the fence green
find a plumber nearby
how to fold a paper crane
who is the president of Brazil
investigate why the server crashed last night
make a workout routine
buy tickets for the concert
explain the rules of cricket
draw a dragon
is it going to rain tomorrow
schedule a dentist appointment
show me pictures of kittens
how do I change a flat tyre
start the washing machine
what rhymes with orange
debate the ethics of zoos
set up a new laptop for Anna
recite the alphabet backwards
sing me a lullaby
who discovered penicillin
buy new tyres for the car
help me decide between two job offers
what is the best restaurant in Vienna
roll back the last deployment
explain photosynthesis to a child
play chess with me
reply to Tom that I am late
find my lost keys
increase the memory of the virtual machine
is this mushroom edible
write a love letter
how do airplanes fly
choose a gift for my father
implement dark mode in the settings page
interpret this chest x-ray
where can I park near the station
remind me to call the bank
rebase my branch on main
write a blog post about remote work
who is the author of Dune
my back hurts, what can I do
create a landing page for the product
tell me a bedtime story
how do I get to the central station
order new toner for the printer
why did the stock market fall
fix the typo on the pricing page
give the intern access to the repository
what should I wear to the interview
learn to play the piano
draw a portrait of my grandmother
compare gas and electric heating
explain the offside rule
find a dentist who speaks Spanish
upgrade Postgres to version 16
increase the test coverage of the API
what is the weather in Rome
make the app work offline
where was Napoleon born
help me plan a surprise for my wife
add rate limiting to the gateway
how do I clean a cast iron pan
write the minutes of the meeting into the wiki
recommend a museum in Madrid
should we hire another designer
how many people live in Canada
prepare slides for the board
the coffee machine leaks
turn the volume down
what does a product manager do
set up continuous integration
start a podcast about gardening
is this plant poisonous for dogs
write a thank you note to the team
change the background of my desktop
answer this customer complaint politely
how do I file my taxes
describe the water cycle
find out why the page loads slowly
buy a birthday card for Tim
improve the onboarding of new users
what happened at the conference yesterday
suggest three titles for my book
move the files to the archive server
reset the password of user 17
who directed the film Alien
teach my dog to sit
make dinner with what is in the fridge
replace the deprecated function calls
tell Sarah the delivery is late
is it cheaper to rent or to buy
how do bees make honey
paint a sunset in watercolour
roll out the new policy to all offices
write a migration that adds an index
reserve two seats in the first row
what are good names for a startup
how to stop procrastinating
`;

export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly whenNot: string;
}

/** Request, and the skill that it needs. */
export interface SkillRequest {
  readonly name: string;
  readonly query: string;
}

const cells = lines(SKILLS).map((line) => line.split('|').map((part) => part.trim()));

export const SKILL_TEXTS: readonly SkillText[] = cells.map(([name = '', description = '', whenNot = '']) => ({
  name,
  description,
  whenNot,
}));

/** Requests that the retrieval was developed on. */
export const DEVELOPED: readonly SkillRequest[] = [
  ...cells.flatMap(([name = '', , , one = '', other = '']) => [
    { name, query: one },
    { name, query: other },
  ]),
  ...requestsIn(REQUESTS),
];
export const DEVELOPED_UNRELATED: readonly string[] = lines(UNRELATED);

/** Reads lines with the name of a skill and a request. */
export function requestsIn(text: string): readonly SkillRequest[] {
  return lines(text).map((line) => {
    const bar = line.indexOf('|');
    return { name: line.slice(0, bar).trim(), query: line.slice(bar + 1).trim() };
  });
}

export function lines(text: string): readonly string[] {
  return text.trim().split('\n');
}
