# docker build -t ncc-route . && docker run -p 3000:3000 ncc-route
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[serve]" && rm -r /wheels
USER nobody
EXPOSE 3000
CMD ["ncc-route", "serve", "--host", "0.0.0.0"]
